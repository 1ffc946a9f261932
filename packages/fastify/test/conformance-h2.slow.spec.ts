import { createServer } from 'node:http2';
import {
  createHttp2Client,
  defineConformanceSuite,
  DELIBERATE_404,
  fixtureEffect,
  FORM_ANSWER,
} from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';

defineConformanceSuite({
  name: 'fastify-h2',
  isVariant: true,
  // Early hits are written by the same function, whatever the protocol: see conformance.spec.ts.
  hits: ['after-middleware'],
  protocol: 'h2',
  createServer: async (options, hits) => {
    const server = createFastifySsrServer({ ...options, hits });
    server.app.addHook('onRequest', async (request, reply) => {
      const effect = fixtureEffect(request.headers['x-fixture']?.toString());
      for (const [name, value] of effect.headers) reply.header(name, value);
      if (effect.status !== undefined) reply.code(effect.status);
      if (effect.body !== undefined) return reply.send(effect.body);
    });
    server.app.removeAllContentTypeParsers();
    server.app.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_: unknown, body: Buffer) => body,
    );
    server.app.get('/api/time', () => ({ now: Date.now() }));
    server.app.post('/api/echo', (request, reply) =>
      reply.type('text/plain').send(request.body ?? ''),
    );
    server.app.get('/api/missing', (_, reply) => reply.code(404).send(DELIBERATE_404));
    server.app.post('/form', () => FORM_ANSWER);
    const { port } = await server.listen({
      port: 0,
      server: createServer(server.reqHandler),
      announce: false,
    });
    return { client: createHttp2Client(port), ready: server.ready, close: server.close };
  },
});
