import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { isLost, LISTEN, options, tell } from '../../node/test/shutdown/child.ts';

const server = createFastifySsrServer(options);
server.app.addHook('onRequest', (request, _reply, done) => {
  if (!isLost(request.url)) done();
});
server.app.addContentTypeParser('*', (_request, _payload, done) => done(null));
server.app.post('/api/echo', (request, reply) => reply.send(request.raw));
const { port, server: http } = await server.listen(LISTEN);
tell(port, http);
