import { toElysia } from '@ng-ssr/fetch/elysia';
import { createFetchSsrHandler, shutDownOnSignals } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { isLost, options, shutdown, tell } from '../../../node/test/shutdown/child.ts';

const ssr = createFetchSsrHandler(options);
const pages = toElysia(ssr);
const app = new Elysia()
  .onRequest(({ request }) => ssr.probe(request))
  .onRequest(async ({ request }) => {
    if (isLost(new URL(request.url).pathname)) await new Promise(() => undefined);
  })
  .onRequest(pages.answer)
  .post('/api/echo', ({ body }) => body, { parse: 'text' })
  .all('/*', pages.render)
  .listen({ port: 0, hostname: '127.0.0.1' });
shutDownOnSignals(app.server!, ssr, shutdown);
tell(app.server!.port);
