import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const PROGRAM = `
  import { createNodeSsrServer, withServerThreads } from '@ng-ssr/node/server';
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['localhost'],
    features: [withServerThreads({ threads: Number(process.argv[2]) })],
  });
  const { url } = await server.listen({ port: 0, shutdown: false });
  await (await fetch(url)).text();
  await server.close();
`;

/** As the Angular CLI bundles a server: with its packages, and without the addon. */
function writeBundle(): string {
  const folder = join(writeBuiltSite({ 'browser/index.html': prerendered('home') }), '..');
  const importLine = `import { createRequire as toRequire } from 'node:module';`;
  buildSync({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    outfile: join(folder, 'server/server.mjs'),
    ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: { js: `${importLine} const require = toRequire(import.meta.url);` },
  });
  return folder;
}

test.each([1, 2])(
  '%i threads report a missing addon in one line, below that of the server',
  (threads) => {
    const program = `exec ${process.execPath} server/server.mjs ${threads} 2>&1`;
    const { stdout } = spawnSync('sh', ['-c', program], {
      cwd: writeBundle(),
      encoding: 'utf8',
      env: { ...process.env, NG_SSR_ETAG: '' },
    });
    const [first, ...others] = stdout.split('\n').map((line) => line.trim());
    expect(first).toMatch(/^Listening on http:/);
    expect(others).toEqual([
      'ng-ssr: NG_SSR_ADDON_UNAVAILABLE: The addon of @ng-ssr/etag is not installed here, so WebAssembly computes the ' +
        'ETags, some microseconds slower. Run "npm install @ng-ssr/etag" where the server runs, or set ' +
        'NG_SSR_ETAG=js to turn this notice off. ' +
        '(https://github.com/ng-ssr/ng-ssr/blob/main/docs/errors.md#ng_ssr_addon_unavailable)',
      '',
    ]);
  },
);

/** Runs a program in the folder of a bundle, and returns what it has printed. */
function outputOf(folder: string, program: string): string {
  const { stdout } = spawnSync('sh', ['-c', `exec ${process.execPath} ${program} 2>&1`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NG_SSR_ETAG: '' },
  });
  return stdout;
}

test('a package without an addon for the platform needs no installation', () => {
  const folder = writeBundle();
  const modules = join(folder, 'node_modules');
  const native = join(import.meta.dirname, '../../../native');
  mkdirSync(join(modules, '@ng-ssr/etag'), { recursive: true });
  for (const name of ['package.json', 'addon.cjs']) {
    cpSync(join(native, name), join(modules, '@ng-ssr/etag', name));
  }
  const loader = join(native, '../node_modules/node-gyp-build');
  cpSync(loader, join(modules, 'node-gyp-build'), { recursive: true });
  expect(outputOf(folder, 'server/server.mjs 1')).toContain(
    `NG_SSR_ADDON_UNAVAILABLE: @ng-ssr/etag has no addon for ${process.platform}-${process.arch}, so WebAssembly computes ` +
      'the ETags, some microseconds slower. No action is needed; set NG_SSR_ETAG=js to turn this notice off. (',
  );
});
