import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeSsrServer, ssrMiddleware } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import {
  createStoredSite,
  echoPath,
  expectServerOfStoredPages,
  expectStoredPages,
  expectWholeTargets,
  getFrom,
} from './stored-site.ts';

test('the server purges and shows its stored pages, and leaves the shared store', () =>
  expectServerOfStoredPages(createNodeSsrServer));

test('a server that never listened leaves the shared store too', async () => {
  const { options, store } = createStoredSite();
  await createNodeSsrServer(options).close();
  expect(store.isClosed).toBe(true);
});

test('the middleware purges and shows its stored pages', async () => {
  const { options, store } = createStoredSite();
  const ssr = ssrMiddleware(options);
  const server = createServer((request, response) => {
    ssr(request, response, () => response.writeHead(404).end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expectStoredPages(ssr.cache, store, getFrom((server.address() as AddressInfo).port));
});

/** Takes `/shop` off, as Connect does below a mount, or `/old` for `/new`, as rewrites do. */
const change = (request: IncomingMessage & { originalUrl?: string }): void => {
  const { url = '/' } = request;
  request.originalUrl = url;
  request.url = url === '/old' ? '/new' : url.slice('/shop'.length);
};

test.each(['a middleware', 'after-middleware', 'before-middleware'] as const)(
  'below a mount of Connect each path has its own page (%s)',
  async (serveHits) => {
    const options = { ...createStoredSite().options, engine: echoPath };
    const listener =
      serveHits === 'a middleware'
        ? ssrMiddleware(options)
        : createNodeSsrServer({ ...options, serveHits }).reqHandler;
    const server = createServer((request, response) => {
      change(request);
      listener(request, response, () => response.writeHead(404).end());
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const get = getFrom((server.address() as AddressInfo).port);
    await expectWholeTargets(get);
    expect([await get('/old'), await get('/old')]).toEqual(['/new', '/new']);
    expect(await get('/shop/')).toContain('home');
  },
);
