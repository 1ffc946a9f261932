import { createExpressSsrServer } from '@ng-ssr/express';
import { cache } from '../cache';
import { engine } from '../engine';
import { hits } from '../hits';
import { probes } from '../probes';
import { render } from '../render';
import { threads } from '../threads';

const server = createExpressSsrServer({ engine, cache, hits, probes, render });

server.app.use((_req, res, next) => {
  res.set('X-Served-By', 'express');
  next();
});

server.router.get('/api/time', (_req, res) => {
  res.json({ now: Date.now() });
});

export const reqHandler = server.reqHandler;
export const listen = () => server.listen({ threads });
if (server.isMainModule(import.meta.url)) await listen();
