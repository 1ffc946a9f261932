import { createServer } from 'node:http';
import Router from '@koa/router';
import { createKoaSsrServer, ssrMiddleware } from '@ng-ssr/koa/server';
import Koa, { type Middleware } from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';

const options = () => ({
  engine: ({ url }: Request) =>
    new Response(`page ${new URL(url).pathname}`, { headers: { 'content-type': 'text/html' } }),
  allowedHosts: ['127.0.0.1'],
  files: { folder: writeBuiltSite({ 'browser/robots.txt': 'User-agent: *' }) },
});

/** Two ways to the same server, with middleware in front of the pages and a router behind them. */
const servers = {
  createKoaSsrServer: (front: Middleware, routes: (router: Router) => void) => {
    const server = createKoaSsrServer(options());
    server.app.use(front);
    routes(server.router);
    return server.reqHandler;
  },
  ssrMiddleware: (front: Middleware, routes: (router: Router) => void) => {
    const app = new Koa();
    const router = new Router();
    routes(router);
    app.use(front).use(ssrMiddleware(options())).use(router.routes());
    return app.callback();
  },
};

async function start(listener: (typeof servers)[keyof typeof servers], ...[front, routes]: Parts) {
  const server = createServer(listener(front, routes));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return async (target: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method });
    return [response.status, await response.text()];
  };
}

type Parts = Parameters<(typeof servers)[keyof typeof servers]>;

describe.each(Object.entries(servers))('%s', (_name, listener) => {
  test('an earlier route that calls next leaves the page to the engine', async () => {
    const front = new Router();
    front.all('/{*path}', (context, next) => {
      context.set('X-Seen', '1');
      return next();
    });
    const routes = (router: Router) => {
      router.get('/none', () => undefined);
      router.get('/time', (context) => void (context.body = 'now'));
    };
    const ask = await start(listener, front.routes() as Middleware, routes);
    expect(await ask('/rendered')).toEqual([200, 'page /rendered']);
    expect(await ask('/time')).toEqual([200, 'now']);
    expect((await ask('/rendered', 'POST'))[0]).toBe(405);
    expect(await ask('/none')).toEqual([404, 'Not Found']);
  });

  test('a POST route of its path leaves the page to the engine, before and after', async () => {
    const front = new Router();
    front.post('/contact', (context) => void (context.body = 'in front'));
    const routes = (router: Router) =>
      void router.post('/form', (context) => void (context.body = 'behind'));
    const ask = await start(listener, front.routes() as Middleware, routes);
    expect(await ask('/contact')).toEqual([200, 'page /contact']);
    expect(await ask('/contact', 'POST')).toEqual([200, 'in front']);
    expect(await ask('/form')).toEqual([200, 'page /form']);
    expect(await ask('/form', 'HEAD')).toEqual([200, '']);
    expect(await ask('/form', 'POST')).toEqual([200, 'behind']);
    expect((await ask('/form', 'PUT'))[0]).toBe(405);
  });
});

test('a route of the server’s router may go on to the pages', async () => {
  const ask = await start(
    servers.createKoaSsrServer,
    (_context, next) => next(),
    (router) => void router.get('/account', (_context, next) => next()),
  );
  expect(await ask('/account')).toEqual([200, 'page /account']);
});

test('Allow names the methods of the routes beside those of pages', async () => {
  const server = createKoaSsrServer(options());
  server.router.post('/form', (context) => void (context.body = 'taken'));
  const { url } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  onTestFinished(() => server.close());
  const put = await fetch(`${url}form`, { method: 'PUT' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  const asked = await fetch(`${url}form`, { method: 'OPTIONS' });
  expect([asked.status, asked.headers.get('allow')]).toEqual([200, 'GET, HEAD, POST']);
});
