import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { NodeExchange } from '@ng-ssr/node/adapter';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { inject } from 'light-my-request';
import serverless from 'serverless-http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const servers = {
  node: createNodeSsrServer,
  koa: createKoaSsrServer,
  express: createExpressSsrServer,
  fastify: createFastifySsrServer,
};

const HOME = prerendered('home');

/** A request of API Gateway's, as serverless-http takes it. */
const toEvent = (path: string, host = 'shop.example', method = 'GET') => ({
  httpMethod: method,
  path,
  headers: { Host: host },
  queryStringParameters: null,
  requestContext: {},
  body: null,
});

interface Result {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe.each(Object.entries(servers))('%s', (_name, create) => {
  const createServer = (serveHits: 'after-middleware' | 'before-middleware') => {
    const server = create({
      engine: ({ url }) =>
        new Response(`page ${url}`, {
          headers: [
            ['content-type', 'text/html'],
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ],
        }),
      allowedHosts: ['shop.example'],
      files: { folder: writeBuiltSite({ 'browser/index.html': HOME }), encodings: [] },
      serveHits,
    });
    onTestFinished(() => server.close());
    return server;
  };

  test.each(['after-middleware', 'before-middleware'] as const)(
    'behind serverless-http, %s',
    async (serveHits) => {
      const handle = serverless(createServer(serveHits).reqHandler as RequestListener as never);
      const ask = async (...event: Parameters<typeof toEvent>) =>
        (await handle(toEvent(...event), {})) as Result;
      const home = await ask('/');
      expect([home.statusCode, home.body]).toEqual([200, HOME]);
      expect(home.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
      expect(home.headers['etag']).toBeDefined();
      const page = await ask('/rendered');
      expect([page.statusCode, page.body]).toEqual([200, 'page https://shop.example/rendered']);
      expect((await ask('/', 'evil.example')).statusCode).toBe(400);
      expect((await ask('/', 'shop.example/x')).statusCode).toBe(400);
      expect((await ask('/rendered', 'shop.example', 'PUT')).statusCode).toBe(405);
    },
  );

  test.each(['after-middleware', 'before-middleware'] as const)(
    'behind light-my-request, %s',
    async (serveHits) => {
      // Express gives its own prototype to the response, which has to record what is sent.
      if (create === createExpressSsrServer) return;
      const { reqHandler } = createServer(serveHits);
      const headers = { host: 'shop.example' };
      const home = await inject(reqHandler as never, { url: '/', headers });
      expect([home.statusCode, home.body]).toEqual([200, HOME]);
      const page = await inject(reqHandler as never, { url: '/rendered', headers });
      expect([page.statusCode, page.body]).toEqual([200, 'page http://shop.example/rendered']);
      expect(page.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    },
  );
});

test.each([
  ['without raw headers', { headers: { host: 'a.example' } }, 'a.example'],
  ['with none', { rawHeaders: [], headers: { host: 'a.example' } }, 'a.example'],
  ['with two hosts', { headers: { host: ['a.example', 'b.example'] } }, 'a.example, b.example'],
  ['without a host', { rawHeaders: [], headers: {} }, undefined],
  [
    'whose raw headers have no host',
    { rawHeaders: ['Accept', '*/*'], headers: { host: 'a.example' } },
    undefined,
  ],
])('the host of a request %s', (_label, request, host) => {
  const made = { httpVersionMajor: 1, ...request } as unknown as IncomingMessage;
  expect(new NodeExchange(made, {} as ServerResponse).header('host')).toBe(host);
});
