import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createKoaSsrServer, ssrMiddleware } from '@ng-ssr/koa/server';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import {
  createStoredSite,
  echoPath,
  expectInvalidation,
  expectServerOfStoredPages,
  expectStoredPages,
  expectWholeTargets,
  getFrom,
} from '../../node/test/stored-site.ts';

test('the server purges and shows its stored pages, and leaves the shared store', () =>
  expectServerOfStoredPages(createKoaSsrServer));

/** The port of an app that listens until the test has ended. */
async function serve(app: Koa): Promise<number> {
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('the middleware purges and shows its stored pages', async () => {
  const { options, store } = createStoredSite();
  const ssr = ssrMiddleware(options);
  await expectStoredPages(ssr.cache, store, getFrom(await serve(new Koa().use(ssr))));
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
  const port = await serve(app);
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
    // What is left is also the end of what came, as below a mount.
    if (context.path === '/en/new') context.url = '/new';
    return next();
  });
  app.use(ssrMiddleware({ ...options, engine }));
  const get = getFrom(await serve(app));
  for (const target of ['/en/new', '/old', '/new', '/old', '/en/new']) {
    expect(await get(target)).toBe('/new');
  }
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
  const get = getFrom(await serve(app));
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
  const port = await serve(app);
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
  const get = getFrom(await serve(app));
  expect(await get('/old')).toBe('/new');
});

test('a method that later middleware changes is the one for renders', async () => {
  const { options } = createStoredSite();
  const app = new Koa().use(ssrMiddleware(options)).use((context, next) => {
    if (context.get('x-http-method-override') !== '') context.method = 'GET';
    return next();
  });
  const url = `http://127.0.0.1:${await serve(app)}/page`;
  const headers = { 'x-http-method-override': 'GET' };
  expect(await (await fetch(url, { method: 'POST', headers })).text()).toBe('render 1');
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});

test('a page is not written where middleware has answered while it was rendered', async () => {
  const errors: unknown[] = [];
  let finish = (): void => undefined;
  const engine = (): Promise<Response> =>
    new Promise((resolve) => (finish = () => resolve(new Response('page'))));
  const app = new Koa();
  app.on('error', (error) => errors.push(error));
  const settled = new Promise<void>((resolve) => {
    app.use(async (context, next) => {
      setTimeout(() => context.res.writeHead(503).end('too late', finish), 20);
      await next().finally(resolve);
    });
  });
  app.use(ssrMiddleware({ ...createStoredSite().options, engine }));
  const response = await fetch(`http://127.0.0.1:${await serve(app)}/page`);
  expect([response.status, await response.text()]).toEqual([503, 'too late']);
  await settled;
  expect(errors).toEqual([]);
});
