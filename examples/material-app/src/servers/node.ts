import { createNodeSsrServer, withRouter } from '@ng-ssr/node';
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

const server = createNodeSsrServer({
  engine,
  cache,
  features: [...features, serverThreads, withRouter()],
  serveHits,
  probes,
  render,
  routeRules,
});

server.use((_req, res, next) => {
  res.setHeader('X-Served-By', 'node');
  next();
});

server.router.get('/api/time', (_req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ now: Date.now() }));
});

for (const { method, path, answer } of apiRoutes) {
  server.router.on(method, path, async (req, res, params) => {
    const { status, headers, body } = await answer(ofNode(req, params));
    res.writeHead(status, headers).end(body);
  });
}

export const reqHandler = server.reqHandler;
export const listen = () => server.listen();
if (server.isMainModule(import.meta.url)) await listen();
