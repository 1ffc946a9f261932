import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fileShownIn } from '../../../../packages/schematics/test/deploy-page.ts';
import { bun, deno } from '../../../../packages/fetch/test/runtimes/runtime.ts';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { copyFrom, shopFolder } from './site-folder.ts';

const SHUTDOWN_SECONDS = 10;

/** Starts a server with what a platform gives it: PORT, and the variables of its file. */
async function start(
  command: readonly [string, ...string[]],
  folder: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<DeployedServer> {
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    ...more,
    PORT: String(port),
    NG_ALLOWED_HOSTS: '127.0.0.1',
  };
  return DeployedServer.start({
    command,
    cwd: folder,
    env,
    origin: `http://127.0.0.1:${port}`,
  });
}

/** A shell's words, of a command without quotes; `node` is the one that runs this. */
function words(command: string): [string, ...string[]] {
  const [program, ...parameters] = command.split(' ');
  return [program === 'node' ? process.execPath : program!, ...parameters];
}

interface CloudRun {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly ports: readonly [{ readonly containerPort: number }];
            readonly env: readonly { readonly name: string; readonly value: string }[];
            readonly startupProbe: { readonly httpGet: { readonly path: string } };
            readonly livenessProbe: { readonly httpGet: { readonly path: string } };
          },
        ];
      };
    };
  };
}

test('the service of Cloud Run answers its probes and behind its TLS, and ends within 10 s', async () => {
  const service = parse(fileShownIn('cloud-run.md', 'deploy/cloud-run.yaml')) as CloudRun;
  const [container] = service.spec.template.spec.containers;
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const server = await start(words('node dist/shop/server/server.mjs'), shopFolder(), env);
  const ask = askOver(server.origin);
  for (const { httpGet } of [container.startupProbe, container.livenessProbe]) {
    expect((await ask(httpGet.path, { host: '169.254.8.1:8080' })).status).toBe(200);
  }
  await expectPages(ask);
  expect((await ask('/about', { 'x-forwarded-proto': 'https' })).status).toBe(200);
  const begin = performance.now();
  expect(await server.drain()).toBe(0);
  expect(performance.now() - begin).toBeLessThan(SHUTDOWN_SECONDS * 1000);
});

test('App Hosting runs the command of its file', () => {
  const { env, scripts } = parse(fileShownIn('cloud-run.md', 'apphosting.yaml')) as {
    env: { variable: string; availability: string[] }[];
    scripts: { runCommand: string };
  };
  expect(env.map(({ variable }) => variable)).toContain('NG_ALLOWED_HOSTS');
  const procfile = fileShownIn('paas.md', 'Procfile');
  expect(`web: ${scripts.runCommand}\n`).toBe(procfile);
});

test('the Procfile of Heroku starts a server that listens on PORT, and drains', async () => {
  const [, command] = /^web: (.+)\n$/.exec(fileShownIn('paas.md', 'Procfile'))!;
  const server = await start(words(command!), shopFolder());
  await expectPages(askOver(server.origin));
  expect(await server.drain()).toBe(0);
});

test('fly.toml leaves the server its time', () => {
  const text = fileShownIn('paas.md', 'fly.toml');
  const valueOf = (name: string) => new RegExp(`^${name} = "?([^"\\n]+)"?$`, 'm').exec(text)![1]!;
  expect(valueOf('kill_signal')).toBe('SIGTERM');
  // The default of shutdown.timeoutMs is 10 s.
  expect(parseInt(valueOf('kill_timeout'))).toBeGreaterThan(10);
  expect(valueOf('PORT')).toBe(valueOf('internal_port'));
});

describe('functions', () => {
  const RUNNER = join(import.meta.dirname, 'function-server.mjs');

  test.each([
    ['netlify.md', 'netlify/functions/pages.mjs', 'fetch', 'function'],
    ['vercel.md', 'api/index.mjs', 'fetch', 'fetch'],
    ['vercel.md', 'api/index.mjs', 'koa', 'listener'],
  ])('%s: %s of @ng-ssr/%s', async (page, path, adapter, kind) => {
    const folder = shopFolder();
    copyFrom(page, path, folder, adapter);
    const name = adapter === 'fetch' ? 'hono' : adapter;
    // Vercel sets NODE_ENV, and Netlify does not.
    const env = { ADAPTER: name, NODE_ENV: page === 'netlify.md' ? undefined : 'production' };
    const server = await start([process.execPath, RUNNER, path, kind], folder, env);
    const ask = askOver(server.origin);
    // Details are for developers.
    expect(String((await ask('/', { host: 'evil.example' })).body)).toBe('400 Bad Request\n');
    // A function does not learn the port that it is called at; platforms name a host without one.
    await expectPages((target, headers) => ask(target, { host: '127.0.0.1', ...headers }));
  });

  test('vercel.json sends the CDN what is built, and the function the rest', () => {
    const settings = JSON.parse(fileShownIn('vercel.md', 'vercel.json')) as {
      outputDirectory: string;
      functions: Record<string, { includeFiles: string }>;
      rewrites: object[];
    };
    expect(settings).toMatchObject({
      outputDirectory: 'dist/shop/browser',
      functions: { 'api/index.mjs': { includeFiles: 'dist/shop/**' } },
      rewrites: [{ destination: '/api' }],
    });
  });
});

describe('other runtimes', () => {
  test.skipIf(bun.missing !== undefined)('Bun', async () => {
    const server = await start([...bun.command, 'dist/shop/server/server.mjs'], shopFolder(), {
      ADAPTER: 'elysia-bun',
    });
    await expectPages(askOver(server.origin));
    expect(await server.drain()).toBe(0);
  });

  test.skipIf(deno.missing !== undefined)('the task of deno.json', async () => {
    const folder = shopFolder();
    copyFrom('bun-deno.md', 'deno.json', folder);
    mkdirSync(join(folder, 'cache'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { tasks } = JSON.parse(fileShownIn('bun-deno.md', 'deno.json')) as {
      tasks: { start: string };
    };
    const [, ...parameters] = words(tasks.start);
    const [program] = deno.command;
    const server = await start([program, ...parameters], folder, {
      ADAPTER: 'hono',
      DENO_DIR: join(folder, 'cache'),
    });
    await expectPages(askOver(server.origin));
    expect(await server.drain()).toBe(0);
  });
});
