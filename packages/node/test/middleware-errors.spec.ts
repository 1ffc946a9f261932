import { once } from 'node:events';
import { request } from 'node:http';
import type { SsrError } from '@ng-ssr/core';
import { createNodeSsrServer, type NodeMiddleware } from '@ng-ssr/node/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSite } from '../../fastify/test/site.ts';

/** A server with one middleware. */
async function serve(middleware: NodeMiddleware) {
  const errors: SsrError[] = [];
  const engine = vi.fn(() => new Response('page', { headers: { vary: 'Cookie, X-Own' } }));
  const server = createNodeSsrServer({
    ...createSite(),
    engine,
    onError: (error) => errors.push(error),
  });
  server.use(middleware);
  onTestFinished(() => server.close());
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  return { port, url: `http://127.0.0.1:${port}/page`, engine, errors };
}

const late = new Error('too late');

test.each<[name: string, middleware: NodeMiddleware]>([
  [
    'throws',
    (_request, _response, next) => {
      next();
      throw late;
    },
  ],
  [
    'rejects',
    async (_request, _response, next) => {
      next();
      await Promise.reject(late);
    },
  ],
  [
    'calls next again',
    (_request, _response, next) => {
      next();
      next(late);
    },
  ],
])('an error of middleware that %s after its next() is reported', async (_, middleware) => {
  const { url, errors } = await serve(middleware);
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(200);
  await vi.waitFor(() => expect(errors).toMatchObject([{ cause: late }]));
});

test('a request is answered where middleware rejects with nothing', async () => {
  const { url } = await serve(() => Promise.reject());
  expect(await (await fetch(url)).text()).toBe('page');
});

test('each line of Vary that middleware has set stays', async () => {
  const { url } = await serve((_request, response, next) => {
    response.setHeader('Vary', ['Origin', 'X-Second']);
    next();
  });
  const { headers } = await fetch(url);
  expect(headers.get('vary')?.split(', ').toSorted()).toEqual([
    ...['Cookie', 'Origin', 'X-Own', 'X-Second'],
  ]);
});

test('the reason phrase of an answer that could not be written is not that of the 500', async () => {
  const { url, errors } = await serve((_request, response, next) => {
    response.statusMessage = 'caf\u2014';
    next();
  });
  const response = await fetch(url);
  expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
  expect(errors).toHaveLength(1);
});

test('a page whose client has left within the middleware is not rendered', async () => {
  let handedOn = (): void => undefined;
  const isHandedOn = new Promise<void>((resolve) => (handedOn = resolve));
  const { port, url, engine } = await serve(async ({ headers }, response, next) => {
    if (headers['x-leaves'] === undefined) return next();
    asked.destroy();
    if (!response.destroyed) await once(response, 'close');
    next();
    handedOn();
  });
  // Without a port: that of a connection that has ended is not known, and then another one is refused.
  const headers = { 'x-leaves': '1', host: '127.0.0.1' };
  const asked = request({ port, host: '127.0.0.1', path: '/left', headers, agent: false });
  asked.on('error', () => undefined).end();
  await isHandedOn;
  // A second request, to see that the first has gone as far as it goes.
  expect(await (await fetch(url)).text()).toBe('page');
  expect(engine).toHaveBeenCalledTimes(1);
});

test('no page is written where middleware has begun its own answer', async () => {
  const { url, errors } = await serve((_request, response, next) => {
    response.writeHead(200, { 'x-own': '1' }).write('theirs, ');
    next();
    setTimeout(() => response.end('whole'), 50);
  });
  const response = await fetch(url);
  expect([await response.text(), response.headers.get('x-own')]).toEqual(['theirs, whole', '1']);
  expect(errors).toEqual([]);
});
