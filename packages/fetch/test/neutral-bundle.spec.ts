import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleNeutral } from './workerd/bundle.ts';

const dist = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

test.each(['neutral.js', 'hono.js'])('%s needs no module of Node', async (name) => {
  const { metafile } = await bundleNeutral({ entry: dist(name) });
  const { imports } = Object.values(metafile.outputs)[0]!;
  // Angular asks for it where an application uses XMLHttpRequest; the CLI leaves it out too.
  expect(imports.filter(({ path }) => path !== 'xhr2')).toEqual([]);
});
