import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toH3 } from '@ng-ssr/fetch/h3';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { shutDownOnSignals } from '@ng-ssr/node/adapter';
import { H3, type H3Event, toNodeHandler } from 'h3';
import { options, shutdown, tell } from '../../../node/test/shutdown/child.ts';

const ssr = createFetchSsrHandler<[H3Event]>(options);
const pages = toH3(ssr);
const app = new H3();
app.use(pages.answer);
app.post('/api/echo', async (event) => new Response(await event.req.arrayBuffer()));
app.all('/**', pages.render);

const server = createServer(toNodeHandler(app)).listen(0, '127.0.0.1', () =>
  tell((server.address() as AddressInfo).port, server),
);
shutDownOnSignals(server, ssr, shutdown);
