import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundleNeutral } from './workerd/bundle.ts';

const dist = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

test.each(['neutral.js', 'hono.js'])('%s needs no module of Node', async (name) => {
  const { metafile } = await bundleNeutral({ entry: dist(name) });
  const { imports } = Object.values(metafile.outputs)[0]!;
  // Angular asks for it where an application uses XMLHttpRequest; the CLI leaves it out too.
  expect(imports.filter(({ path }) => path !== 'xhr2')).toEqual([]);
});

test('a server for Node says why it does not start in such a bundle', async () => {
  const { code } = await bundleNeutral({
    stdin: "export { SsrHandler } from '@ng-ssr/core/adapter';",
    external: ['node:*'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'bundle.mjs'), code);
  const bundle = (await import(
    pathToFileURL(join(folder, 'bundle.mjs')).href
  )) as typeof import('@ng-ssr/core/adapter');
  const expected = expect.objectContaining({ code: 'NG_SSR_PLATFORM_INVALID' });
  expect(() => new bundle.SsrHandler({ engine: () => null })).toThrow(expected);
});
