/** The servers of frameworks with Request and Response. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve as serveHono } from '@hono/node-server';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { toH3 } from '@ng-ssr/fetch/h3';
import { toHono } from '@ng-ssr/fetch/hono';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { H3, HTTPResponse, serve as serveH3 } from 'h3';
import { Hono } from 'hono';
import {
  host,
  isDeclared,
  options,
  port,
  readResponse,
  type Servers,
  SET,
} from './after-middleware-site.ts';

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch: () => Response }): {
    readonly port: number;
  };
};

export const ours: Servers = {
  hono() {
    const pages = toHono(createFetchSsrHandler(options()));
    return listenHono(honoApp().use(pages.answer).all('*', pages.render));
  },
  h3() {
    const pages = toH3(createFetchSsrHandler(options()));
    return listenH3(h3App().use(pages.answer).all('/**', pages.render));
  },
  elysia: startElysia,
  /** Beside Bun alone. */
  bun: startElysia,
};

/** With the same middleware, and a handler that sends the response by the shortest way that keeps the header. */
export const bare: Servers = {
  hono() {
    const { headers, body } = readResponse();
    return listenHono(honoApp().get('*', (c) => c.body(body, 200, headers)));
  },
  h3() {
    const { headers, body } = readResponse();
    return listenH3(h3App().get('/**', () => new HTTPResponse(body, { headers })));
  },
  elysia() {
    const { headers, body } = readResponse();
    const app = elysiaApp().get('/*', ({ set }) => {
      Object.assign(set.headers, headers);
      return new Response(body);
    });
    return listenElysia(app);
  },
  async bun() {
    const { headers, body } = readResponse();
    const init = { headers: { ...headers, [SET[0]]: SET[1] } };
    const server = Bun.serve({ port, hostname: host, fetch: () => new Response(body, init) });
    return { port: server.port };
  },
};

function honoApp() {
  const app = new Hono();
  if (isDeclared) return app;
  return app.use((c, next) => {
    c.header(...SET);
    return next();
  });
}

async function listenHono({ fetch }: Hono): Promise<AddressInfo> {
  const server = serveHono({ fetch, port, hostname: host });
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

function h3App() {
  const app = new H3();
  if (isDeclared) return app;
  return app.use(({ res }) => res.headers.set(...SET));
}

async function listenH3(app: H3) {
  const options = { port, hostname: host, silent: true, gracefulShutdown: false };
  const { url } = await serveH3(app, options).ready();
  return { port: Number(new URL(url!).port) };
}

function elysiaApp() {
  const app = new Elysia();
  if (isDeclared) return app;
  return app.onRequest(({ set }) => {
    set.headers[SET[0].toLowerCase()] = SET[1];
  });
}

function startElysia() {
  const pages = toElysia(createFetchSsrHandler(options()));
  const app = elysiaApp().onRequest(pages.answer).onAfterHandle(pages.answered);
  return listenElysia(app.all('/*', pages.render, { parse: 'none' }));
}

async function listenElysia(app: {
  listen(options: object): { server: { port?: number } | null };
}) {
  const { server } = app.listen({ port, hostname: host });
  return { port: server!.port! };
}
