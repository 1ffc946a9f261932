import {
  createFetchSsrHandler,
  isMainModule,
  shutDownOnSignals,
  toReqHandler,
} from '@ng-ssr/fetch';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { Elysia } from 'elysia';
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
const ssr = createFetchSsrHandler({
  engine,
  cache,
  features,
  probes,
  render,
  routeRules,
  routes,
});
const pages = toElysia(ssr);

const app = new Elysia()
  .onRequest(({ set }) => {
    set.headers['x-served-by'] = 'elysia-bun';
  })
  .onRequest(pages.answer)
  .onAfterHandle(pages.answered)
  .get('/api/time', () => ({ now: Date.now() }))
  // The endpoint for purges reads the content itself.
  .all('/*', pages.render, { parse: 'none' });
for (const { method, path, answer } of apiRoutes) {
  app.route(method, path, async ({ request, params }) => {
    const { status, headers, body } = await answer(ofFetch(request, params));
    return new Response(body || null, { status, headers });
  });
}

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
export const listen = () => {
  app.listen(Number(process.env['PORT'] ?? 4000), ({ port }) =>
    console.log(`Listening on http://localhost:${port}/`),
  );
  shutDownOnSignals(app.server!, ssr);
  void ssr.ready();
};
if (isMainModule(import.meta.url)) listen();
