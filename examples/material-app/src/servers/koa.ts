import { createKoaSsrServer } from '@ng-ssr/koa';
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

const server = createKoaSsrServer({
  engine,
  cache,
  features: [...features, serverThreads],
  serveHits,
  probes,
  render,
  routeRules,
});

server.app.use(async (ctx, next) => {
  ctx.set('X-Served-By', 'koa');
  await next();
});

server.router.get('/api/time', (ctx) => {
  ctx.body = { now: Date.now() };
});

for (const { method, path, answer } of apiRoutes) {
  server.router.register(path, [method], async (ctx) => {
    const { status, headers, body } = await answer(ofNode(ctx.req, ctx.params));
    ctx.status = status;
    ctx.set(headers);
    ctx.body = body;
  });
}

export const reqHandler = server.reqHandler;
export const listen = () => server.listen();
if (server.isMainModule(import.meta.url)) await listen();
