import { createExpressSsrServer } from '@ng-ssr/express';
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

const server = createExpressSsrServer({
  engine,
  cache,
  features: [...features, serverThreads],
  serveHits,
  probes,
  render,
  routeRules,
});

server.app.use((_req, res, next) => {
  res.set('X-Served-By', 'express');
  next();
});

server.router.get('/api/time', (_req, res) => {
  res.json({ now: Date.now() });
});

for (const { method, path, answer } of apiRoutes) {
  server.router.route(path)[method === 'GET' ? 'get' : 'post'](async (req, res) => {
    const { status, headers, body } = await answer(ofNode(req, req.params));
    res.status(status).set(headers).send(body);
  });
}

export const reqHandler = server.reqHandler;
export const listen = () => server.listen();
if (server.isMainModule(import.meta.url)) await listen();
