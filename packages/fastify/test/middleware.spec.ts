import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import { defineMiddlewareSuite } from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';

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
