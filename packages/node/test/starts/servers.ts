/** How programs start each server: `listen` of the adapters, and what `ng add @ng-ssr/fetch` generates. */
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';
import type { Context } from 'hono';
import type { H3Event } from 'h3';
import type { ListenOptions, SsrOptions, SsrServer } from '@ng-ssr/node/server';

/** What a program does. */
export interface Start {
  readonly options: SsrOptions;
  readonly listen: Pick<ListenOptions, 'host' | 'shutdown'>;
  /** The program's own code, between creating the server and listening. */
  readonly own: () => unknown;
}

/** An Elysia app without the types of its plugins. */
interface App {
  fetch(request: Request): Response | Promise<Response>;
}

export const SERVERS = {
  node: async (start: Start) => {
    const { createNodeSsrServer } = await import('@ng-ssr/node/server');
    await listen(createNodeSsrServer, start);
  },
  koa: async (start: Start) => {
    const { createKoaSsrServer } = await import('@ng-ssr/koa/server');
    await listen(createKoaSsrServer, start);
  },
  fastify: async (start: Start) => {
    const { createFastifySsrServer } = await import('@ng-ssr/fastify/server');
    await listen(createFastifySsrServer, start);
  },
  express: async (start: Start) => {
    const { createExpressSsrServer } = await import('@ng-ssr/express/server');
    await listen(createExpressSsrServer, start);
  },
  hono: async (start: Start) => {
    const { serve } = await import('@hono/node-server');
    const { Hono } = await import('hono');
    const { toHono } = await import('@ng-ssr/fetch/hono');
    await handle(start, (ssr, { port, hostname }) => {
      const pages = toHono(ssr as FetchSsrHandler<unknown[]> as FetchSsrHandler<[Context]>);
      const app = new Hono().use(pages.answer).all('*', pages.render);
      return serve({ fetch: app.fetch, port, ...hostname });
    });
  },
  h3: async (start: Start) => {
    const { H3, serve } = await import('h3');
    const { toH3 } = await import('@ng-ssr/fetch/h3');
    await handle(start, (ssr, { port, hostname }) => {
      const pages = toH3(ssr as FetchSsrHandler<unknown[]> as FetchSsrHandler<[H3Event]>);
      const app = new H3().use(pages.answer).all('/**', pages.render);
      return serve(app, { port, ...hostname, gracefulShutdown: false });
    });
  },
  elysia: async (start: Start) => {
    const { serve } = await import('srvx');
    await handle(start, async (ssr, { port, hostname }) => {
      const app = await elysiaApp(ssr);
      const fetch = (request: Request): Response | Promise<Response> => app.fetch(request);
      return serve({ fetch, port, ...hostname, gracefulShutdown: false });
    });
  },
  'elysia on bun': async (start: Start) => {
    await handle(start, async (ssr, { port, hostname }) => {
      const app = (await elysiaApp(ssr)) as App & { listen(o: object): { server: never } };
      return app.listen({ port, ...hostname }).server;
    });
  },
  bun: async (start: Start) => {
    const { Bun } = globalThis as unknown as { Bun: { serve(options: object): never } };
    await handle(start, (ssr, { port, hostname }) => Bun.serve({ fetch: ssr, port, ...hostname }));
  },
  deno: async (start: Start) => {
    const { Deno } = globalThis as unknown as { Deno: { serve(...of: unknown[]): never } };
    await handle(start, (ssr, { port, hostname }) =>
      Deno.serve({ port, ...hostname, onListen: () => undefined }, ssr),
    );
  },
} as const;

export type ServerName = keyof typeof SERVERS;

/** Nothing waits for `listen`, as in generated servers. */
async function listen(
  create: (options: SsrOptions) => SsrServer,
  { options, listen, own }: Start,
): Promise<void> {
  const server = create(options);
  await own();
  void server.listen(listen);
}

type Serve = (
  ssr: FetchSsrHandler<never[]>,
  address: { readonly port: number; readonly hostname: { readonly hostname?: string } },
) => unknown;

async function handle({ options, listen, own }: Start, serve: Serve): Promise<void> {
  const { createFetchSsrHandler, shutDownOnSignals } = await import('@ng-ssr/fetch/server');
  const ssr = createFetchSsrHandler<never[]>(options);
  await own();
  const port = Number(process.env['PORT'] ?? 4000);
  const hostname = listen.host === undefined ? {} : { hostname: listen.host };
  const server = await serve(ssr, { port, hostname });
  shutDownOnSignals(server as never, ssr, listen.shutdown);
  void ssr.ready();
}

async function elysiaApp(ssr: FetchSsrHandler<never[]>): Promise<App> {
  const { Elysia } = await import('elysia');
  const { toElysia } = await import('@ng-ssr/fetch/elysia');
  const pages = toElysia(ssr as never);
  return new Elysia().onRequest(pages.answer).all('/*', pages.render, { parse: 'none' });
}
