import type { Server } from 'node:http';
import { toH3 } from '@ng-ssr/fetch/h3';
import { createFetchSsrHandler, shutDownOnSignals } from '@ng-ssr/fetch/server';
import { H3, type H3Event, serve } from 'h3';
import { isLost, options, shutdown, tell } from '../../../node/test/shutdown/child.ts';

const ssr = createFetchSsrHandler<[H3Event]>(options);
const pages = toH3(ssr);
const app = new H3();
app.use((event) => ssr.probe(event.req));
app.use(async (event, next) => {
  if (isLost(event.url.pathname)) await new Promise(() => undefined);
  return next();
});
app.use(pages.answer);
app.post('/api/echo', async (event) => new Response(await event.req.arrayBuffer()));
app.all('/**', pages.render);

const server = serve(app, {
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
  gracefulShutdown: false,
});
shutDownOnSignals(server, ssr, shutdown);
await server.ready();
tell(Number(new URL(server.url!).port), server.node?.server as Server | undefined);
