import { createFastifySsrServer } from '@ng-ssr/fastify';
import { cache } from '../cache';
import { engine } from '../engine';
import { hits } from '../hits';
import { probes } from '../probes';
import { render } from '../render';
import { threads } from '../threads';

const server = createFastifySsrServer({ engine, cache, hits, probes, render });

server.app.addHook('onRequest', async (_request, reply) => {
  reply.header('X-Served-By', 'fastify');
});

server.app.get('/api/time', () => ({ now: Date.now() }));

export const reqHandler = server.reqHandler;
export const listen = () => server.listen({ threads });
if (server.isMainModule(import.meta.url)) await listen();
