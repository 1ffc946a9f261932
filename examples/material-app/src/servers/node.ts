import { createNodeSsrServer } from '@ng-ssr/node';
import { cache } from '../cache';
import { engine } from '../engine';
import { hits } from '../hits';
import { probes } from '../probes';
import { render } from '../render';
import { threads } from '../threads';

const server = createNodeSsrServer({ engine, cache, hits, probes, render });

server.use((_req, res, next) => {
  res.setHeader('X-Served-By', 'node');
  next();
});

server.router.get('/api/time', (_req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ now: Date.now() }));
});

export const reqHandler = server.reqHandler;
export const listen = () => server.listen({ threads });
if (server.isMainModule(import.meta.url)) await listen();
