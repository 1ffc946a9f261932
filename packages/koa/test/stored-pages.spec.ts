import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createKoaSsrServer, ssrMiddleware } from '@ng-ssr/koa/server';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import {
  createStoredSite,
  echoPath,
  expectInvalidation,
  expectStoredPages,
  expectWholeTargets,
  getFrom,
} from '../../node/test/stored-site.ts';

test('the server purges and shows its stored pages, and leaves the shared store', async () => {
  const { options, store } = createStoredSite();
  const server = createKoaSsrServer(options);
  const { port } = await server.listen({ port: 0, announce: false });
  await expectStoredPages(server.cache, store, getFrom(port));
  expect(store.isClosed).toBe(false);
  await server.close();
  expect(store.isClosed).toBe(true);
});

test('the middleware purges and shows its stored pages', async () => {
  const { options, store } = createStoredSite();
  const ssr = ssrMiddleware(options);
  const server = new Koa().use(ssr).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expectStoredPages(ssr.cache, store, getFrom((server.address() as AddressInfo).port));
});

test('a status that later middleware sets is an answer, one from before is not', async () => {
  const { options } = createStoredSite();
  const app = new Koa();
  app.use(async (context, next) => {
    if (context.path !== '/plain') context.status = 503;
    await next();
  });
  app.use(ssrMiddleware(options));
  app.use((context) => {
    if (context.path === '/gone') context.status = 410;
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };
  expect(await ask('/gone')).toEqual([410, 'Gone']);
  expect(await ask('/closed')).toEqual([503, 'render 1']);
  expect(await ask('/plain')).toEqual([200, 'render 2']);
});

test('a target that middleware rewrites is the one for renders and for hits', async () => {
  const { options } = createStoredSite();
  const engine = ({ url }: Request): Response =>
    new Response(new URL(url).pathname, { headers: { 'cache-control': 's-maxage=60' } });
  const app = new Koa();
  app.use((context, next) => {
    if (context.path === '/old') context.url = '/new';
    return next();
  });
  app.use(ssrMiddleware({ ...options, engine }));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = getFrom((server.address() as AddressInfo).port);
  expect([await get('/old'), await get('/new'), await get('/old')]).toEqual(
    Array.from({ length: 3 }, () => '/new'),
  );
});

test('below a mount each path has its own page', async () => {
  const ssr = ssrMiddleware({ ...createStoredSite().options, engine: echoPath });
  const app = new Koa();
  // As koa-mount does.
  app.use(async (context, next) => {
    const { path } = context;
    context['mountPath'] = '/shop';
    context.path = path.slice('/shop'.length);
    await ssr(context, next);
    context.path = path;
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = getFrom((server.address() as AddressInfo).port);
  await expectWholeTargets(get);
  expect(await get('/shop/')).toContain('home');
});

test('a route after the middleware that answers a POST with success invalidates its pages', async () => {
  const { options } = createStoredSite();
  const app = new Koa().use(ssrMiddleware(options)).use((context) => {
    if (context.path === '/refused') context.throw(403);
    if (context.method === 'POST') context.status = 204;
  });
  app.silent = true;
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expectInvalidation(fetch, `http://127.0.0.1:${port}`);
});

test('a target that later middleware rewrites is the one for renders', async () => {
  const { options } = createStoredSite();
  const engine = ({ url }: Request): Response => new Response(new URL(url).pathname);
  const app = new Koa();
  app.use(ssrMiddleware({ ...options, engine }));
  app.use((context, next) => {
    if (context.path === '/old') context.url = '/new';
    return next();
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = getFrom((server.address() as AddressInfo).port);
  expect(await get('/old')).toBe('/new');
});
