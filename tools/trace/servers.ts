import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { SsrOptions } from '@ng-ssr/core';
import type { Server } from 'node:http';

/** A server that listens. */
export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The path of a user's route that throws. */
export const FAILING_ROUTE = '/api/fails';

function fail(): never {
  throw new Error('a route of the user fails');
}

/** The path of the API that pages below `/calling` call. */
export const TIME_ROUTE = '/api/time';

const TIME = JSON.stringify({ now: 0 });

/** Starts a server; only that of the node adapter listens in several threads. */
export type StartServer = (options: SsrOptions, threads?: number) => Promise<RunningServer>;

async function startNode(options: SsrOptions, threads = 1): Promise<RunningServer> {
  const { createNodeSsrServer, withRouter, withServerThreads } =
    await import('@ng-ssr/node/server');
  const server = createNodeSsrServer({
    ...options,
    features: [
      ...(options.features ?? []),
      withRouter(),
      ...(threads > 1 ? [withServerThreads({ threads })] : []),
    ],
  });
  server.router.on('GET', FAILING_ROUTE, fail);
  server.router.on('GET', TIME_ROUTE, (_request, response) => void response.end(TIME));
  // A server thread is ready only when it listens.
  const { port } = await server.listen({ port: 0, announce: false });
  await server.ready();
  return { port, close: server.close };
}

async function startKoa(options: SsrOptions): Promise<RunningServer> {
  const { createKoaSsrServer } = await import('@ng-ssr/koa/server');
  const server = createKoaSsrServer(options);
  server.app.silent = true;
  server.router.get(FAILING_ROUTE, fail);
  server.router.get(TIME_ROUTE, (context) => void (context.body = TIME));
  await server.ready();
  const { port } = await server.listen({ port: 0, announce: false });
  return { port, close: server.close };
}

async function startHono(options: SsrOptions): Promise<RunningServer> {
  const { createFetchSsrHandler } = await import('@ng-ssr/fetch/server');
  const { toHono } = await import('@ng-ssr/fetch/hono');
  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const routes = (request: Request): Response | Promise<Response> => app.fetch(request);
  const ssr = createFetchSsrHandler({ ...options, routes });
  const pages = toHono(ssr);
  const app = new Hono();
  app.onError((_error, c) => c.text('failed', 500));
  app.use(pages.answer);
  app.get(FAILING_ROUTE, fail);
  app.get(TIME_ROUTE, (c) => c.body(TIME));
  app.all('*', pages.render);
  await ssr.ready();
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await ssr.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** A server of each kind, ready to answer. */
export const servers: Readonly<Record<string, StartServer>> = {
  node: startNode,
  koa: startKoa,
  fetch: startHono,
};
