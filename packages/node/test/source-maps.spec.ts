import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ADAPTER = join(import.meta.dirname, '../dist/server.js');

const APP = `// The application.
interface Product { readonly name: string }

export function titleOf(product: Product | undefined): string {
  // The product is missing.
  return product!.name.toUpperCase();
}
`;

const SERVER = `import { createNodeSsrServer } from ${JSON.stringify(ADAPTER)};
import { titleOf } from './app';

const engine = async (request: Request) => {
  if (request.url.endsWith('/frozen')) throw Object.freeze(new Error('frozen'));
  return new Response(titleOf(undefined));
};
const server = createNodeSsrServer({
  engine,
  allowedHosts: ['localhost'],
  errorDetails: process.env['DETAILS'] === '1',
  onError: process.env['OWN'] === '1' ? ({ cause }) => console.error('own', cause) : undefined,
});
const { url } = await server.listen({ port: 0, announce: false });
for (const path of ['', 'again', 'frozen']) console.log(await (await fetch(url + path)).text());
await server.close();
`;

let folder: string;
const bundle = (): string => join(folder, 'dist/server/server.mjs');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ng-ssr-maps-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/app.ts'), APP);
  writeFileSync(join(folder, 'src/server.ts'), SERVER);
  await build({
    entryPoints: [join(folder, 'src/server.ts')],
    outfile: bundle(),
    ...{ bundle: true, minify: true, platform: 'node', format: 'esm', target: 'node20' },
    // As Angular with "hidden": the bundle does not name its map.
    sourcemap: 'external',
    banner: {
      js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function serve(env: NodeJS.ProcessEnv) {
  return spawnSync(process.execPath, [bundle()], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', ...env },
  });
}

test('reported errors name the files of the source, each time', () => {
  for (const env of [{}, { OWN: '1' }]) {
    const { stdout, stderr } = serve(env);
    const places = [...stderr.matchAll(/src\/app\.ts:6:19\)/g)];
    expect({ stderr, places: places.length }).toEqual({ stderr, places: 2 });
    expect(stderr).toContain('src/server.ts:6:23');
    // Clients get neither places nor messages.
    expect(stdout).not.toMatch(/app\.ts|server\.mjs|undefined/);
  }
});

test('the page of errorDetails names them, too', () => {
  const { stdout } = serve({ DETAILS: '1' });
  expect(stdout).toMatch(/src\/app\.ts:6:19/);
  expect(stdout).not.toMatch(/at titleOf.*server\.mjs/);
});

test.each([
  ['no map', undefined],
  ['a map that is no JSON', '{"version":3,'],
  ['a map of another kind', '[]'],
  ['a map that is cut', JSON.stringify({ version: 3, sources: ['a.ts'], mappings: 'AAAA,g' })],
  [
    'a map with other signs',
    JSON.stringify({ version: 3, sources: ['a.ts'], mappings: '\u{1f600}' }),
  ],
])('%s: the error is reported as it is', (_name, map) => {
  const file = `${bundle()}.map`;
  rmSync(file, { force: true });
  if (map !== undefined) writeFileSync(file, map);
  const { status, stderr } = serve({});
  expect(status).toBe(0);
  expect(stderr).toMatch(/NG_SSR_RENDER_FAILED[^]*TypeError[^]*server\.mjs:\d+:\d+/);
});
