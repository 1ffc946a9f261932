import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from '@ng-ssr/conformance';
import {
  createFastifySsrServer,
  type FastifySsrServerOptions,
  type FastifySsrServer,
} from '@ng-ssr/fastify/server';

/** A server with the middleware and the routes that the conformance suite asks for. */
export function createFixtureServer(options: FastifySsrServerOptions): FastifySsrServer {
  const server = createFastifySsrServer(options);
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
  return server;
}
