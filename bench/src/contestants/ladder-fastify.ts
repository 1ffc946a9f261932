/** A step of the ladder: Fastify and CommonEngine. */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { renderPage, sayListening } from './article-page.ts';

const app = Fastify();
app.get('/*', async (request, reply) => {
  reply.type('text/html; charset=utf-8');
  return renderPage(request.headers.host ?? '', request.url);
});
await app.listen({ port: 0, host: '127.0.0.1' });
sayListening((app.server.address() as AddressInfo).port);
