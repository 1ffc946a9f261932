import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import { defineMiddlewareSuite } from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import compression from 'compression';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp1Client, headerOf } from '../../conformance/src/client.ts';
import { writeBuiltSite } from '../../core/test/built-site.ts';

defineMiddlewareSuite({
  name: 'fastify',
  createServer: async (options, log) => {
    const server = createFastifySsrServer(options);
    const { app } = server;
    app.addHook('onResponse', async (_, reply) => {
      const length = reply.getHeader('content-length');
      log({ status: reply.statusCode, length: length === undefined ? length : Number(length) });
    });
    app.register(compress, { threshold: 0 });
    app.register(helmet);
    app.addHook('onRequest', async (request, reply) => {
      reply.header('X-Request-Id', request.headers['x-request-id'] ?? randomUUID());
    });
    app.register(cors, { origin: ['https://app.example'], credentials: true });
    app.register(cookie);
    app.addHook('onRequest', async (request, reply) => {
      if (request.cookies['session'] === undefined) reply.setCookie('session', randomUUID());
    });
    app.addHook('onRequest', async (request, reply) => {
      if (request.headers['x-auth'] === 'none') return reply.code(401).send('unauthorized');
    });
    app.register(formbody);
    app.post('/api/form', (request) => request.body);
    app.get('/api/time', () => ({ now: Date.now() }));
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});

// As @fastify/middie runs it; @fastify/compress leaves parts by itself.
test('Express middleware that encodes everything leaves a part of a held file', async () => {
  const image = 'abcde'.repeat(1000);
  const server = createFastifySsrServer({
    engine: () => null,
    allowedHosts: ['shop.example'],
    files: { folder: writeBuiltSite({ 'browser/chair.png': image }) },
  });
  const encode = compression({ threshold: 0, filter: () => true });
  server.app.addHook('onRequest', ({ raw }, reply, done) =>
    encode(raw as never, reply.raw as never, () => done()),
  );
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => server.close());
  const headers = { 'accept-encoding': 'gzip', range: 'bytes=10-2009' };
  const part = await createHttp1Client(port).request({ target: '/chair.png', headers });
  expect(part.status).toBe(206);
  expect(headerOf(part, 'content-encoding')).toBeUndefined();
  expect(part.body.toString()).toBe(image.slice(10, 2010));
});
