import { createKoaSsrServer } from '@ng-ssr/koa';
import { cache } from '../cache';
import { engine } from '../engine';
import { hits } from '../hits';
import { probes } from '../probes';
import { render } from '../render';
import { threads } from '../threads';

const server = createKoaSsrServer({ engine, cache, hits, probes, render });

server.app.use(async (ctx, next) => {
  ctx.set('X-Served-By', 'koa');
  await next();
});

server.router.get('/api/time', (ctx) => {
  ctx.body = { now: Date.now() };
});

export const reqHandler = server.reqHandler;
export const listen = () => server.listen({ threads });
if (server.isMainModule(import.meta.url)) await listen();
