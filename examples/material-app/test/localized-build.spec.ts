import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const ng = fileURLToPath(import.meta.resolve('@angular/cli/bin/ng.js'));

/** An application in two languages, as `ng new` and `ng add` leave it for CommonEngine. */
const sources: Readonly<Record<string, string>> = {
  'angular.json': JSON.stringify({
    version: 1,
    cli: { analytics: false, cache: { enabled: false } },
    projects: {
      shop: {
        projectType: 'application',
        root: '',
        i18n: { sourceLocale: 'en', locales: { sv: 'sv.json' } },
        architect: {
          build: {
            builder: '@angular/build:application',
            options: {
              outputPath: 'dist/shop',
              browser: 'src/main.ts',
              server: 'src/main.server.ts',
              ssr: { entry: 'src/server.ts' },
              index: 'src/index.html',
              tsConfig: 'tsconfig.json',
              localize: true,
              optimization: false,
            },
          },
        },
      },
    },
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'preserve',
      moduleResolution: 'bundler',
      skipLibCheck: true,
      types: ['node', '@angular/localize'],
    },
    files: ['src/main.ts', 'src/main.server.ts', 'src/server.ts'],
  }),
  'sv.json': '{ "locale": "sv", "translations": { "welcome": "Välkommen" } }',
  'src/index.html':
    '<!doctype html><html><head><base href="/"></head><body><app-root></app-root></body></html>',
  'src/app.ts': `
    import { DecimalPipe } from '@angular/common';
    import { Component } from '@angular/core';
    @Component({
      selector: 'app-root',
      imports: [DecimalPipe],
      template: '<h1 i18n="@@welcome">Welcome</h1><p>{{ 0.5 | number }}</p>',
    })
    export class App {}`,
  'src/main.ts': `
    import { bootstrapApplication } from '@angular/platform-browser';
    import { App } from './app';
    void bootstrapApplication(App);`,
  'src/main.server.ts': `
    import { type BootstrapContext, bootstrapApplication } from '@angular/platform-browser';
    import { provideServerRendering } from '@angular/platform-server';
    import { App } from './app';
    export default (context: BootstrapContext) =>
      bootstrapApplication(App, { providers: [provideServerRendering()] }, context);`,
  'src/server.ts': `
    import { commonEngine, createNodeSsrServer } from '@ng-ssr/node';
    import bootstrap from './main.server';
    const server = createNodeSsrServer({
      engine: commonEngine({ bootstrap }),
      allowedHosts: ['127.0.0.1'],
      render: { workers: Number(process.env['RENDER_WORKERS'] ?? 0) },
    });
    export const { reqHandler } = server;
    if (server.isMainModule(import.meta.url)) {
      const { port } = await server.listen({ port: 0, announce: false });
      console.log(port);
    }`,
  // What the README shows: one process for all locales.
  'all.mjs': `
    import { createServer } from 'node:http';
    const handlers = new Map();
    for (const locale of ['sv', 'en']) {
      const { reqHandler } = await import(\`./dist/shop/server/\${locale}/server.mjs\`);
      handlers.set(locale, reqHandler);
    }
    const server = createServer((request, response) => {
      const [, locale] = request.url.split('/', 2);
      const handler = handlers.get(locale) ?? handlers.get('en');
      handler(request, response, () => response.writeHead(404).end());
    });
    server.listen(0, () => console.log(server.address().port));`,
};
let workspace: string;

beforeAll(async () => {
  mkdirSync(join(repository, 'tmp'), { recursive: true });
  // Below the repository, where Angular's packages are found.
  workspace = mkdtempSync(join(repository, 'tmp/localized-'));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  await promisify(execFile)(process.execPath, [ng, 'build'], { cwd: workspace });
}, 120_000);
afterAll(() => rmSync(workspace, { recursive: true }));

/** Starts a program of the workspace; it ends with the test. */
async function start(program: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(workspace, program)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let reported = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (reported += text));
  onTestFinished(async () => {
    child.kill();
    // A thread that does not start would be said, and its pages rendered without it.
    await once(child.stderr, 'close');
    expect(reported).toBe('');
  });
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => reject(new Error(`${program} has ended: ${reported}`)));
  });
  return async (target: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`);
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  };
}

type Get = Awaited<ReturnType<typeof start>>;

async function expectLocale(get: Get, locale: string, ...texts: readonly string[]) {
  const page = await get(`/${locale}/`);
  expect(page.status).toBe(200);
  for (const text of texts) expect(page.text).toContain(text);
  expect(page.text).toContain(`<base href="/${locale}/">`);
  const script = await get(`/${locale}/main.js`);
  expect([script.status, script.type]).toEqual([200, 'text/javascript; charset=utf-8']);
}

const SWEDISH = ['<h1>Välkommen</h1>', '<p>0,5</p>'];
const ENGLISH = ['<h1>Welcome</h1>', '<p>0.5</p>'];

describe('a build with localize, under CommonEngine', () => {
  test('the server of each locale has its pages and its scripts', async () => {
    await expectLocale(await start('dist/shop/server/sv/server.mjs'), 'sv', ...SWEDISH);
    await expectLocale(await start('dist/shop/server/en/server.mjs'), 'en', ...ENGLISH);
  }, 60_000);

  test.each(['0', '1'])(
    'one process has all locales (%s threads each)',
    async (workers) => {
      const get = await start('all.mjs', { RENDER_WORKERS: workers });
      await expectLocale(get, 'sv', ...SWEDISH);
      await expectLocale(get, 'en', ...ENGLISH);
      await expectLocale(get, 'sv', ...SWEDISH);
    },
    60_000,
  );

  test('without the browser folder of its locale a server does not start, and its error names the folder', async () => {
    const bare = join(workspace, 'bare/server/sv');
    cpSync(join(workspace, 'dist/shop/server/sv'), bare, { recursive: true });
    const run = promisify(execFile)(process.execPath, [join(bare, 'server.mjs')]);
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringContaining(join(workspace, 'bare/browser/sv')) as string,
    });
    await expect(run).rejects.toMatchObject({
      stderr: expect.stringContaining('NG_SSR_BROWSER_FOLDER_MISSING') as string,
    });
  }, 60_000);
});
