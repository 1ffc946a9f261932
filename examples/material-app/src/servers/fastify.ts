import { createFastifySsrServer } from '@ng-ssr/fastify';
import { ofNode } from '../api/api-route';
import { apiRoutes } from '../api/routes';
import { cache } from '../cache';
import { engine } from '../engine';
import { features } from '../features';
import { serveHits } from '../hits';
import { probes } from '../probes';
import { render } from '../render';
import { routeRules } from '../route-rules';
import { serverThreads } from '../threads';

const server = createFastifySsrServer({
  engine,
  cache,
  features: [...features, serverThreads],
  serveHits,
  probes,
  render,
  routeRules,
});

server.app.addHook('onRequest', async (_request, reply) => {
  reply.header('X-Served-By', 'fastify');
});

server.app.get('/api/time', () => ({ now: Date.now() }));

for (const { method, path, answer } of apiRoutes) {
  server.app.route<{ Params: Record<string, string> }>({
    method,
    url: path,
    handler: async (request, reply) => {
      const { status, headers, body } = await answer(ofNode(request.raw, request.params));
      return reply.code(status).headers(headers).send(body);
    },
  });
}

export const reqHandler = server.reqHandler;
export const listen = () => server.listen();
if (server.isMainModule(import.meta.url)) await listen();
