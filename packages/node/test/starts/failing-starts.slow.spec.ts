import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isShort } from '@ng-ssr/conformance/fuzz';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bun, deno } from '../../../fetch/test/runtimes/runtime.ts';
import { FAILING_STARTS } from './failing-starts.ts';
import type { ServerName } from './servers.ts';

const NODE = { command: [process.execPath], missing: undefined } as const;
const LINK = String.raw`\(https://\S+/docs/errors\.md#ng_ssr_\w+\)`;
const BANNER = {
  js: `import{createRequire as r}from'node:module';const require=r(import.meta.url);`,
};
/** In a short run one server has all starts, and the others those that depend on the server. */
const EACH = ['a rule without a leading slash', 'a port in use', 'a port that is a word'];

const SERVERS: readonly (readonly [ServerName, typeof NODE | typeof bun])[] = [
  ...(['node', 'koa', 'fastify', 'express', 'hono', 'h3', 'elysia'] as const).map(
    (name) => [name, NODE] as const,
  ),
  ['bun', bun],
  ['elysia on bun', bun],
  ['deno', deno],
];

const occupant = createServer();
let folder: string;

beforeAll(async () => {
  await once(occupant.listen(0), 'listening');
  folder = await mkdtemp(join(tmpdir(), 'ng-ssr-starts-'));
});
afterAll(async () => {
  occupant.close();
  await rm(folder, { recursive: true });
});

describe.each(SERVERS)('%s', (server, { command, missing }) => {
  const isWhole = !isShort || server === 'node';
  const starts = Object.entries(FAILING_STARTS)
    .filter(([name]) => isWhole || EACH.includes(name))
    // Deno reads the prototype of what is thrown before it tells the process, and ends with its own error.
    .filter(([name]) => server !== 'deno' || name !== 'an error that cannot be read');

  test.skipIf(missing !== undefined).each(starts)('%s', async (name, expected) => {
    const { code, says, hasStack, env } = expected;
    const program = join(import.meta.dirname, 'program.ts');
    const ended = await run([...command, program, server, name], env);
    expect(ended).toMatchObject({ exit: 1, stdout: '' });
    const [line, ...others] = ended.stderr.trimEnd().split('\n');
    expect(line).toMatch(new RegExp(`^ng-ssr: ${code}: .*${LINK}${hasStack ? ' .*Error' : '$'}`));
    expect(line).toContain(says);
    if (hasStack) expect(others.join('\n')).toContain('failing-starts.ts');
    else expect(others).toEqual([]);
  });
});

test('a worker of node:cluster says which port is in use', async () => {
  const program = join(import.meta.dirname, 'program.ts');
  const primary = `
    import cluster from 'node:cluster';
    const exec = ${JSON.stringify(program)};
    cluster.setupPrimary({ exec, args: ['node', 'a port in use'], execArgv: [] });
    cluster.fork().once('exit', (code) => process.exit(code));`;
  const ended = await run([process.execPath, '--input-type=module', '--eval', primary]);
  expect(ended).toMatchObject({ exit: 1, stdout: '' });
  expect(ended.stderr).toMatch(
    new RegExp(String.raw`^ng-ssr: NG_SSR_START_FAILED: port \d+ is in use: .*${LINK}\n$`),
  );
});

test.each([
  ['a descriptor that is no socket', 'listen.fd is not a socket'],
  ['a host that no resolver knows', 'listen.host "shop.invalid" cannot be resolved'],
  ['a key that is a path', 'a key or certificate is not PEM text'],
])('%s has one line that says what to change', async (way, says) => {
  const program = join(import.meta.dirname, 'listening-program.ts');
  const ended = await run([process.execPath, program, way]);
  expect(ended).toMatchObject({ exit: 1, stdout: '' });
  const [line, ...others] = ended.stderr.trimEnd().split('\n');
  expect(line).toMatch(new RegExp(`^ng-ssr: NG_SSR_START_FAILED: .*${LINK}$`));
  expect(line).toContain(says);
  expect(others).toEqual([]);
});

describe('a minified bundle', () => {
  const listening = `
    import { createNodeSsrServer } from '@ng-ssr/node/server';
    const server = createNodeSsrServer({ engine: () => null, routeRules: { products: {} } });
    void server.listen();`;
  const handling = `
    import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
    export default createFetchSsrHandler({ engine: () => null, routeRules: { products: {} } });`;

  test.each([
    ['node', NODE, listening],
    ['bun', bun, handling],
    ['deno', deno, handling],
  ] as const)('prints one line, without its source, on %s', async (name, runtime, contents) => {
    if (runtime.missing !== undefined) return;
    const outfile = join(folder, `${name}.mjs`);
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      ...{ outfile, bundle: true, minify: true, format: 'esm', platform: 'node' },
      banner: BANNER,
    });
    await writeFile(join(folder, 'index.html'), '');
    const { exit, stderr } = await run([...runtime.command, outfile]);
    expect(stderr).toMatch(
      new RegExp(
        String.raw`^ng-ssr: NG_SSR_OPTION_INVALID: routeRules\["products"\]: .*${LINK}\n$`,
      ),
    );
    expect(exit).toBe(1);
  });
});

test.each([
  ['a wrong option', 0],
  ['a port in use', 0],
  ['an uncaught error', 1],
  ['an uncaught error with a listener that begins as that of Angular', 1],
  ['an uncaught error with a callback that captures all', 1],
  ['an uncaught error with a domain', 1],
  ['a rejection before its server listens', 0],
  ['a port in use by a listener', 0],
  ['a port in use, where rejections are warnings', 0],
  ['an error after a server of its own listens', 0],
  ['an error after a server of its own listens at a socket of the file system', 0],
  ['an error after its server listens', 0],
])('a program that handles %s goes on, and ends with %i', async (way, exit) => {
  const program = join(import.meta.dirname, 'handling-program.ts');
  const { port } = occupant.address() as AddressInfo;
  const options = way.endsWith('are warnings') ? ['--unhandled-rejections=warn'] : [];
  const ended = await run([process.execPath, ...options, program, way, String(port)]);
  expect(ended).toMatchObject({ exit, stdout: 'handled\n' });
  expect(ended.stderr).not.toContain('ng-ssr:');
});

/** Each bundle of a build with `localize` contains the packages. The one that has started loads the others. */
test('the bundle of another locale leaves the errors of a running process alone', async () => {
  const contents = `
    import { loadLocaleBundle, ownBundle } from '@ng-ssr/core/adapter';
    import { createNodeSsrServer, SsrError } from '@ng-ssr/node/server';
    import { setTimeout } from 'node:timers/promises';
    import { fileURLToPath } from 'node:url';
    const engine = () => null;
    if (ownBundle !== undefined) ownBundle.engine = engine;
    const reject = (error) => void Promise.reject(error);
    const files = { folder: fileURLToPath(new URL('.', import.meta.url)) };
    const server = createNodeSsrServer({ engine, allowedHosts: ['localhost'], files });
    if (ownBundle !== undefined) reject(new SsrError('NG_SSR_RENDER_FAILED', 'of a page'));
    if (ownBundle === undefined) {
      process.on('unhandledRejection', (error) => console.error('unhandledRejection', error));
      await server.listen({ announce: false, port: 0 });
      await loadLocaleBundle(fileURLToPath(new URL('../sv', import.meta.url)));
      reject(new Error('the newsletter is not sent'));
      await setTimeout(20);
      console.log('still there');
      await server.close();
    }`;
  for (const locale of ['en', 'sv']) {
    const outfile = join(folder, 'locales', locale, 'server.mjs');
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      ...{ outfile, bundle: true, format: 'esm', platform: 'node', banner: BANNER },
    });
    await writeFile(join(folder, 'locales', locale, 'index.html'), '');
  }
  const program = join(folder, 'locales/en/server.mjs');
  const ended = await run([process.execPath, program], { NODE_ENV: 'production' });
  expect(ended).toMatchObject({ exit: 0, stdout: 'still there\n' });
  expect(ended.stderr).toMatch(/^unhandledRejection .*Error: .*of a page/m);
  expect(ended.stderr).toMatch(/^unhandledRejection Error: the newsletter is not sent\n/m);
});

/** Runs a program to its end. PORT is one that is in use. */
async function run(
  [file, ...parameters]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ exit: number | null; stdout: string; stderr: string }> {
  const { port } = occupant.address() as AddressInfo;
  const child = spawn(file!, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NG_SSR_ETAG: 'js', PORT: String(port), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, stdout, stderr };
}
