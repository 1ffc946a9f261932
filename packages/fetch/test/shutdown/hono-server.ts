import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { toHono } from '@ng-ssr/fetch/hono';
import { createFetchSsrHandler, shutDownOnSignals } from '@ng-ssr/fetch/server';
import { type Context, Hono } from 'hono';
import { isLost, options, shutdown, tell } from '../../../node/test/shutdown/child.ts';

const ssr = createFetchSsrHandler<[Context]>(options);
const pages = toHono(ssr);
const app = new Hono();
app.use(async (c, next) => {
  if (isLost(c.req.path)) await new Promise(() => undefined);
  await next();
}, pages.answer);
app.post('/api/echo', async (c) => c.body(await c.req.arrayBuffer()));
app.all('*', pages.render);

const fetch = (request: Request) => ssr.probe(request) ?? app.fetch(request);
const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }: AddressInfo) =>
  tell(port, server as Server),
);
shutDownOnSignals(server, ssr, shutdown);
