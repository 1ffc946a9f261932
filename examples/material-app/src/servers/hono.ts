import { serve } from '@hono/node-server';
import {
  createFetchSsrHandler,
  isMainModule,
  shutDownOnSignals,
  toReqHandler,
} from '@ng-ssr/fetch';
import { toHono } from '@ng-ssr/fetch/hono';
import { type Context, Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { ofFetch } from '../api/api-route';
import { apiRoutes } from '../api/routes';
import { cache } from '../cache';
import { engine } from '../engine';
import { features } from '../features';
import { probes } from '../probes';
import { render } from '../render';
import { routeRules } from '../route-rules';

/** What calls of pages to the shop's own API reach. */
const routes = (request: Request): Response | Promise<Response> => app.fetch(request);
const ssr = createFetchSsrHandler<[Context]>({
  engine,
  cache,
  features,
  probes,
  render,
  routeRules,
  routes,
});
const pages = toHono(ssr);
const app = new Hono();

app.use(async (c, next) => {
  c.header('X-Served-By', 'hono');
  await next();
}, pages.answer);

app.get('/api/time', (c) => c.json({ now: Date.now() }));
for (const { method, path, answer } of apiRoutes) {
  app.on(method, path, async (c) => {
    const { status, headers, body } = await answer(ofFetch(c.req.raw, c.req.param()));
    return c.newResponse(body || null, status as StatusCode, headers);
  });
}
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
