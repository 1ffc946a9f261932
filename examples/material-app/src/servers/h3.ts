import {
  createFetchSsrHandler,
  isMainModule,
  shutDownOnSignals,
  toReqHandler,
} from '@ng-ssr/fetch';
import { toH3 } from '@ng-ssr/fetch/h3';
import { H3, type H3Event, serve } from 'h3';
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
const ssr = createFetchSsrHandler<[H3Event]>({
  engine,
  cache,
  features,
  probes,
  render,
  routeRules,
  routes,
});
const pages = toH3(ssr);
const app = new H3();

app.use((event) => {
  event.res.headers.set('X-Served-By', 'h3');
});
app.use(pages.answer);

app.get('/api/time', () => ({ now: Date.now() }));
for (const { method, path, answer } of apiRoutes) {
  app.on(method, path, async (event) => {
    const { status, headers, body } = await answer(ofFetch(event.req, event.context.params));
    return new Response(body || null, { status, headers });
  });
}
app.all('/**', pages.render);

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
export const listen = async () => {
  const port = Number(process.env['PORT'] ?? 4000);
  const server = serve(app, { port, silent: true, gracefulShutdown: false });
  shutDownOnSignals(server, ssr);
  void ssr.ready();
  await server.ready();
  console.log(`Listening on http://localhost:${new URL(server.url!).port}/`);
};
if (isMainModule(import.meta.url)) await listen();
