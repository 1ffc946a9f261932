import { ɵsetAngularAppManifest } from '@angular/ssr';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { beforeAll, expect, it, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine } from '../src/index.ts';
import { bootstrap, document } from './fixture/app.ts';
import { createAppEngine } from './fixture/built-app.ts';
import { setManifests } from './fixture/manifests.ts';
import { request } from './fixture/engine-suite.ts';

const SERVER = 0;
const CLIENT = 1;
const csrPage = `<!doctype html><html><body><app-root></app-root>${'<p>wait</p>'.repeat(100)}</body></html>`;
const asset = (text: string) => ({ size: text.length, hash: 'h', text: async () => text });

beforeAll(() => {
  vi.stubGlobal('ngServerMode', true);
  setManifests(bootstrap);
  ɵsetAngularAppManifest({
    bootstrap: async () => bootstrap,
    baseHref: '/',
    locale: undefined,
    routes: [
      { route: '/account', renderMode: CLIENT, headers: { 'x-route': 'account' } },
      { route: '/account/*/edit', renderMode: CLIENT, preload: ['/chunk-ABCDEFGH.js'] },
      { route: '/account/hello', renderMode: SERVER },
      { route: '/cookie', renderMode: CLIENT, headers: { 'set-cookie': 'a=1' } },
      { route: '/moved', renderMode: CLIENT, redirectTo: '/account' },
      { route: '/hello', renderMode: SERVER },
      { route: '/**', renderMode: CLIENT, status: 404 },
    ],
    entryPointToBrowserMapping: {},
    assets: { 'index.server.html': asset(document), 'index.csr.html': asset(csrPage) },
  } as never);
});

/** A server that has asked its engine, and how often that has rendered since. */
async function create() {
  const angular = appEngine();
  const rendered: string[] = [];
  const engine = (incoming: Request, context?: unknown) => {
    rendered.push(new URL(incoming.url).pathname);
    return angular(incoming, context);
  };
  const handler = new SsrHandler({
    engine: Object.assign(engine, { ...angular }),
    allowedHosts: ['shop.example'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
  });
  await handler.ready();
  const ask = async (target: string, own: Record<string, string> = {}) => {
    const exchange = plainExchange(target, { host: 'shop.example', ...own });
    const answer = handler.answer(exchange) ?? (await handler.render(exchange));
    const { status, headers, body } = answer ?? handler.notFound(exchange);
    const header = (name: string) =>
      headers.find((_, at) => at % 2 === 1 && headers[at - 1]!.toLowerCase() === name);
    return { status, text: Buffer.from(body ?? '').toString(), header };
  };
  return { handler, rendered, ask };
}

it.each([
  ...['/account', '/account/', '/account?tab=1', '/account;x=1', '/account/7/edit'],
  ...['/account/7/%65dit', '/nowhere', '/nowhere/at/all', '/account/7'],
])("%s is answered with Angular's page, without a render", async (target) => {
  const { ask, rendered } = await create();
  const page = await createAppEngine()(request(target));
  const answer = await ask(target);
  expect(answer.status).toBe(page?.status);
  expect(answer.text).toBe(await page?.text());
  expect(answer.header('x-route')).toBe(page?.headers.get('x-route') ?? undefined);
  expect(answer.header('cache-status')).toBe('ng-ssr; hit');
  expect(rendered).toEqual([]);
});

it('it is held: encoded, and a 304 for its tag', async () => {
  const { ask, rendered } = await create();
  const headers = { 'accept-encoding': 'gzip' };
  const answer = await ask('/account', headers);
  expect(answer.header('content-encoding')).toBe('gzip');
  expect(answer.header('cache-control')).toBe('no-cache');
  const etag = answer.header('etag') ?? '';
  expect((await ask('/account', { ...headers, 'if-none-match': etag })).status).toBe(304);
  expect(rendered).toEqual([]);
});

it.each([
  ...['/hello', '/account/hello', '/cookie', '/favicon.ico', '/file.txt', '/account/index.html'],
  '/moved',
])('%s is left to Angular', async (target) => {
  const { ask, rendered } = await create();
  const page = await createAppEngine()(request(target));
  expect((await ask(target)).status).toBe(page?.status ?? 404);
  expect(rendered).toEqual([target]);
});

it('routes of the framework come first: nothing is answered in front of them', async () => {
  const { handler } = await create();
  const exchange = plainExchange('/nowhere', { host: 'shop.example' });
  expect(handler.answer(exchange)).toBeUndefined();
});

it('says the routes of the application, without the one for other paths', async () => {
  const { routes } = await appEngine().constantPages!();
  expect(routes).toEqual([
    ...['/account', '/account/*/edit', '/account/hello', '/cookie', '/moved', '/hello'],
  ]);
});
