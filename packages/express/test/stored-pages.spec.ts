import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createExpressSsrServer, ssrMiddleware } from '@ng-ssr/express/server';
import express, { type RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import {
  createStoredSite,
  echoPath,
  expectInvalidation,
  expectServerOfStoredPages,
  expectStoredPages,
  expectWholeTargets,
  getFrom,
  purgeOn,
} from '../../node/test/stored-site.ts';

test('the server purges and shows its stored pages, and leaves the shared store', () =>
  expectServerOfStoredPages(createExpressSsrServer));

test('the middleware purges and shows its stored pages', async () => {
  const { options, store } = createStoredSite();
  const ssr = ssrMiddleware(options);
  const server = express().use(ssr).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expectStoredPages(ssr.cache, store, getFrom((server.address() as AddressInfo).port));
});

test.each<[string, RequestHandler]>([
  ['json', express.json()],
  ['json of other types', express.json({ type: 'text/plain' })],
  ['text', express.text({ type: '*/*' })],
  ['raw', express.raw({ type: '*/*' })],
])('a purge counts after express.%s', async (_, parser) => {
  const { options, store } = createStoredSite();
  const server = createExpressSsrServer(options);
  server.app.use(parser);
  const { port } = await server.listen({ port: 0, announce: false });
  onTestFinished(() => server.close());
  for (const type of ['application/json', 'text/plain']) {
    expect((await purgeOn(port, '{"tag":"letters"}', type)).status).toBe(200);
    expect((await purgeOn(port, '{"tag":1}', type)).status).toBe(400);
  }
  expect(store.purges).toHaveLength(2);
});

test('a target that middleware rewrites is the one for renders and for hits', async () => {
  const { options } = createStoredSite();
  const engine = ({ url }: Request): Response =>
    new Response(new URL(url).pathname, { headers: { 'cache-control': 's-maxage=60' } });
  const rewrite: RequestHandler = (request, _response, next) => {
    if (request.path === '/old') request.url = '/new';
    next();
  };
  const ssr = ssrMiddleware({ ...options, engine });
  const server = express().use(rewrite, ssr).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = getFrom((server.address() as AddressInfo).port);
  expect([await get('/old'), await get('/new'), await get('/old')]).toEqual(
    Array.from({ length: 3 }, () => '/new'),
  );
});

test('a route behind `answer` that answers a POST with success invalidates its pages, also below a mount', async () => {
  const { options } = createStoredSite();
  const ssr = ssrMiddleware(options);
  const routes = express.Router();
  routes.post('/p', (_request, response) => void response.sendStatus(204));
  routes.post('/refused', (_request, response) => void response.sendStatus(403));
  const app = express().use(ssr.answer).use('/below', ssr.answer, routes).use(routes, ssr);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expectInvalidation(fetch, `http://127.0.0.1:${port}`);
  const get = getFrom(port);
  const before = await get('/p');
  await expectInvalidation(fetch, `http://127.0.0.1:${port}/below`);
  // What is left of the target below the mount is another page's.
  expect(await get('/p')).toBe(before);
});

test.each(['a middleware', 'after-middleware', 'before-middleware'] as const)(
  'below a mount each path has its own page (%s)',
  async (serveHits) => {
    const options = { ...createStoredSite().options, engine: echoPath };
    const handler =
      serveHits === 'a middleware'
        ? ssrMiddleware(options)
        : (createExpressSsrServer({ ...options, serveHits }).reqHandler as RequestHandler);
    const server = express().use('/shop', handler).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const get = getFrom((server.address() as AddressInfo).port);
    await expectWholeTargets(get);
    expect(await get('/shop')).toContain('home');
  },
);

test('below a mount, a query right behind it is one of the mount', async () => {
  const { options } = createStoredSite();
  const folder = writeBuiltSite({ 'browser/robots.txt': 'User-agent: *' });
  const ssr = ssrMiddleware({ ...options, engine: echoPath, files: { folder } });
  const server = express().use('/shop', ssr).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = getFrom((server.address() as AddressInfo).port);
  for (const target of ['/shop', '/shop?x=1', '/shop/?x=1']) {
    expect(await get(target), target).toMatch(/^\/shop\/?$/);
  }
});
