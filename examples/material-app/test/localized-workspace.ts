import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const ng = fileURLToPath(import.meta.resolve('@angular/cli/bin/ng.js'));

/** What differs between the engines, as `ng new` and `ng add` leave it. */
const ENGINES = {
  common: {
    build: { prerender: { discoverRoutes: false, routesFile: 'routes.txt' } },
    rendering: `
      import { provideServerRendering } from '@angular/platform-server';
      const rendering = provideServerRendering();`,
    engine: `
      import { commonEngine } from '@ng-ssr/node';
      import bootstrap from './main.server';
      const engine = commonEngine({ bootstrap, allLocales: process.env['ALL_LOCALES'] === '1' });`,
  },
  app: {
    build: { outputMode: 'server' },
    rendering: `
      import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr';
      const rendering = provideServerRendering(withRoutes([
        { path: 'about', renderMode: RenderMode.Prerender },
        { path: '**', renderMode: RenderMode.Server },
      ]));`,
    engine: `
      import { appEngine } from '@ng-ssr/node';
      const engine = appEngine();`,
  },
} as const;

/** An application in three languages. Arabic is built for the root of a host of its own. */
const sourcesOf = (kind: keyof typeof ENGINES): Readonly<Record<string, string>> => ({
  'angular.json': JSON.stringify({
    version: 1,
    cli: { analytics: false, cache: { enabled: false } },
    projects: {
      shop: {
        projectType: 'application',
        root: '',
        i18n: {
          sourceLocale: 'en',
          locales: { sv: 'sv.json', ar: { translation: 'ar.json', baseHref: '/' } },
        },
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
              ...ENGINES[kind].build,
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
  'routes.txt': '/about\n',
  'sv.json': '{ "locale": "sv", "translations": { "welcome": "Välkommen", "about": "Om oss" } }',
  'ar.json': '{ "locale": "ar", "translations": { "welcome": "أهلا", "about": "من نحن" } }',
  'src/index.html':
    '<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:,"><base href="/"></head>' +
    '<body><app-root></app-root></body></html>',
  'src/app.ts': `
    import { DecimalPipe } from '@angular/common';
    import { Component } from '@angular/core';
    import { RouterLink, RouterOutlet } from '@angular/router';
    @Component({
      selector: 'app-home',
      imports: [DecimalPipe],
      template: '<h1 i18n="@@welcome">Welcome</h1><p>{{ 0.5 | number }}</p>',
    })
    export class Home {}
    @Component({ selector: 'app-about', template: '<h1 i18n="@@about">About</h1>' })
    export class About {}
    @Component({
      selector: 'app-root',
      imports: [RouterLink, RouterOutlet],
      template: '<a id="home" routerLink="/">1</a><a id="sv" href="/sv/about">2</a><router-outlet />',
    })
    export class App {}
    export const routes = [
      { path: '', pathMatch: 'full' as const, component: Home },
      { path: 'about', component: About },
      { path: 'products/:id', component: Home },
    ];`,
  'src/main.ts': `
    import { bootstrapApplication, provideClientHydration } from '@angular/platform-browser';
    import { provideRouter } from '@angular/router';
    import { App, routes } from './app';
    void bootstrapApplication(App, { providers: [provideRouter(routes), provideClientHydration()] });`,
  'src/main.server.ts': `
    import { type BootstrapContext, bootstrapApplication, provideClientHydration } from '@angular/platform-browser';
    import { provideRouter } from '@angular/router';
    import { App, routes } from './app';
    ${ENGINES[kind].rendering}
    const providers = [rendering, provideRouter(routes), provideClientHydration()];
    export default (context: BootstrapContext) => bootstrapApplication(App, { providers }, context);`,
  'src/server.ts': `
    import { createNodeSsrServer, withLocales, withRenderThreads, withServerThreads } from '@ng-ssr/node';
    ${ENGINES[kind].engine}
    const { LOCALES, RENDER_THREADS = '0', THREADS = '1' } = process.env;
    const server = createNodeSsrServer({
      engine,
      allowedHosts: ['127.0.0.1', 'localhost', 'shop.ar', 'shop.se'],
      features: [
        withRenderThreads({ threads: Number(RENDER_THREADS) }),
        withServerThreads({ threads: Number(THREADS) }),
        ...(LOCALES === undefined ? [] : [withLocales(JSON.parse(LOCALES))]),
      ],
      routeRules: { '/products/:id': { sMaxAge: 60 } },
      // Scripts are large without optimization, and ready() waits for their encodings.
      files: { encodings: [] },
    });
    export const { reqHandler } = server;
    if (server.isMainModule(import.meta.url)) {
      const { port } = await server.listen({ port: 0, announce: false });
      // A request has 10 s, which the start of a thread may take beside other tests.
      await server.ready();
      console.log(port);
    }`,
});

/** The options by which the servers of these tests choose locales. */
export const LOCALES = JSON.stringify({
  by: ['path', 'host', 'cookie:lang', 'accept-language'],
  hosts: { 'shop.ar': 'ar', 'shop.se': 'sv' },
  fallback: 'en',
  hreflang: 'https://shop.example',
});

/** An application in a workspace of its own, below the repository, where Angular's packages are found. */
export async function buildLocalized(kind: keyof typeof ENGINES): Promise<string> {
  mkdirSync(join(repository, 'tmp'), { recursive: true });
  const workspace = mkdtempSync(join(repository, 'tmp/localized-'));
  for (const [path, text] of Object.entries(sourcesOf(kind))) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  await promisify(execFile)(process.execPath, [ng, 'build'], { cwd: workspace });
  return workspace;
}

export function removeWorkspace(workspace: string | undefined): void {
  if (workspace !== undefined) rmSync(workspace, { recursive: true });
}

export interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export type Get = (target: string, headers?: Readonly<Record<string, string>>) => Promise<Got>;

/** A server program; it ends with the test, which fails if it has written an error. */
export async function startProgram(
  program: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly port: number; readonly get: Get }> {
  const child = spawn(process.execPath, [program], {
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
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(Number(line)));
    child.once('exit', () => reject(new Error(`${program} has ended: ${reported}`)));
  });
  return { port, get: (path, headers = {}) => request(port, path, headers) };
}

async function request(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Got> {
  const sent = get({ host: '127.0.0.1', port, path, headers });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return { status: response.statusCode, headers: response.headers, text };
}

/** Whether pages and redirects of all locales come as {@link LOCALES} says. */
export async function expectLocales(get: Get): Promise<void> {
  for (const [target, headers, language, ...texts] of [
    ['/sv/', {}, 'sv', '<h1>Välkommen</h1>', '<p>0,5</p>', '<base href="/sv/">'],
    ['/sv/products/1', {}, 'sv', '<h1>Välkommen</h1>', '<base href="/sv/">'],
    ['/en/products/1', {}, 'en', '<h1>Welcome</h1>', '<p>0.5</p>', '<base href="/en/">'],
    ['/en/about', {}, 'en', '<h1>About</h1>', '<base href="/en/">'],
    ['/sv/about', {}, 'sv', '<h1>Om oss</h1>', '<base href="/sv/">'],
    ['/sv/about', { host: 'shop.ar' }, 'sv', '<h1>Om oss</h1>', '<base href="/sv/">'],
    ['/sv/products/2', { host: 'shop.ar' }, 'sv', '<h1>Välkommen</h1>', '<base href="/sv/">'],
    ['/about', { host: 'shop.ar' }, 'ar', '<h1>من نحن</h1>', '<base href="/">'],
    ['/products/1', { host: 'shop.ar' }, 'ar', '<h1>أهلا</h1>', 'dir="rtl"', '<base href="/">'],
    ['/', { host: 'shop.ar' }, 'ar', '<h1>أهلا</h1>', '<base href="/">'],
  ] as const) {
    const page = await get(target, headers);
    expect([target, page.status, page.headers['content-language']]).toEqual([
      target,
      200,
      language,
    ]);
    for (const text of texts) expect(page.text).toContain(text);
  }
  for (const [target, headers] of [
    ['/sv/main.js', {}],
    ['/en/main.js', {}],
    ['/main.js', { host: 'shop.ar' }],
  ] as const) {
    const { status, headers: received } = await get(target, headers);
    expect([status, received['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  }
  for (const [target, headers, location] of [
    ['/', {}, '/en'],
    ['/products/1?a=b', { 'accept-language': 'sv-FI' }, '/sv/products/1?a=b'],
    ['/products/1', { cookie: 'lang=sv', 'accept-language': 'en' }, '/sv/products/1'],
    ['/', { host: 'shop.se' }, '/sv'],
  ] as const) {
    const { status, headers: received } = await get(target, headers);
    expect([target, status, received.location]).toEqual([target, 302, location]);
  }
  // A rule stores the pages of its route in all locales.
  for (const [target, headers] of [
    ['/sv/products/1', {}],
    ['/products/1', { host: 'shop.ar' }],
  ] as const) {
    expect((await get(target, headers)).headers['cache-status']).toMatch(/^ng-ssr; hit/);
  }
  const { link } = (await get('/sv/about')).headers;
  expect(link).toContain('<https://shop.ar/about>; rel="alternate"; hreflang="ar"');
  expect(link).toContain('<https://shop.example/en/about>; rel="alternate"; hreflang="x-default"');
  expect((await get('/nowhere.txt')).status).toBe(404);
}
