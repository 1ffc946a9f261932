import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { toH3 } from '@ng-ssr/fetch/h3';
import { toHono } from '@ng-ssr/fetch/hono';
import {
  createFetchSsrHandler,
  type FetchSsrHandler,
  shutDownOnSignals,
  withCalls,
} from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { H3, toNodeHandler as h3ToNodeHandler } from 'h3';
import { Hono } from 'hono';
import { toNodeHandler } from 'srvx/node';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';

/** A handler whose page `/` has what the page `/inner` of the same origin says, by a call within the process. */
function createHandler(routes: (request: Request) => Response | Promise<Response>) {
  return createFetchSsrHandler({
    async engine({ url }) {
      const { pathname } = new URL(url);
      const inner = pathname === '/inner' ? url : await (await fetch('/inner')).text();
      return new Response(inner, { headers: { 'content-type': 'text/plain' } });
    },
    allowedHosts: ['shop.example'],
    files: { folder: writeBuiltSite({}) },
    features: [withCalls({ '/inner': { inProcess: true } })],
    routes,
    onError: () => undefined,
  });
}

const servers: Record<string, (ssr: FetchSsrHandler) => readonly [RequestListener, App]> = {
  Hono: (ssr) => {
    const app = new Hono();
    const pages = toHono(ssr);
    app.use(pages.answer).all('*', pages.render);
    return [getRequestListener(app.fetch), (request) => app.fetch(request)];
  },
  h3: (ssr) => {
    const app = new H3();
    const pages = toH3(ssr);
    app.use(pages.answer).all('/**', pages.render);
    return [h3ToNodeHandler(app), (request) => app.fetch(request)];
  },
  Elysia: (ssr) => {
    const pages = toElysia(ssr);
    const app = new Elysia().onRequest(pages.answer).all('/*', pages.render, { parse: 'none' });
    const handle: App = (request) => app.fetch(request);
    return [toNodeHandler(handle) as RequestListener, handle];
  },
  'the whole handler under @hono/node-server': (ssr) => [
    getRequestListener((request, env) => ssr(request, env)),
    (request) => ssr(request),
  ],
  // Nothing shows the port but the server itself.
  'a function of a Request alone': (ssr) => [
    getRequestListener((request) => ssr(request)),
    (request) => ssr(request),
  ],
};

type App = (request: Request) => Response | Promise<Response>;

async function ask(port: number, host: string): Promise<readonly [number | undefined, string]> {
  const sent = httpRequest({ port, host: '127.0.0.1', path: '/', headers: { host } }).end();
  const [response] = await once(sent, 'response');
  return [response.statusCode as number, await text(response)];
}

test.each(Object.keys(servers))('a handler knows its port, also in a call: %s', async (name) => {
  const ssr: FetchSsrHandler = createHandler((request) => app(request));
  const [listener, app] = servers[name]!(ssr);
  const server = createServer(listener).listen(0, '127.0.0.1');
  const end = shutDownOnSignals(server, ssr, false);
  onTestFinished(end);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `shop.example:${port}`;
  expect(await ask(port, host)).toEqual([200, `http://${host}/inner`]);
  expect((await ask(port, 'shop.example:1'))[0]).toBe(400);
});
