import { serve } from '@hono/node-server';
import {
  createFetchSsrHandler,
  isMainModule,
  shutDownOnSignals,
  toReqHandler,
} from '@ng-ssr/fetch';
import { toHono } from '@ng-ssr/fetch/hono';
import { type Context, Hono } from 'hono';
import { cache } from '../cache';
import { engine } from '../engine';
import { probes } from '../probes';
import { render } from '../render';

const ssr = createFetchSsrHandler<[Context]>({ engine, cache, probes, render });
const pages = toHono(ssr);
const app = new Hono();

app.use(async (c, next) => {
  c.header('X-Served-By', 'hono');
  await next();
}, pages.answer);

app.get('/api/time', (c) => c.json({ now: Date.now() }));
app.all('*', pages.render);

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
export const listen = () => {
  const port = Number(process.env['PORT'] ?? 4000);
  const server = serve({ fetch: app.fetch, port }, ({ port }) =>
    console.log(`Listening on http://localhost:${port}/`),
  );
  shutDownOnSignals(server, ssr);
  void ssr.ready();
};
if (isMainModule(import.meta.url)) listen();
