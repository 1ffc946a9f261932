/**
 * An adapter on a generated site, without Angular, as its argument says (JSON): for growth, stored
 * pages, cold start and memory.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { createNodeSsrServer, withRequestLog } from '@ng-ssr/node/server';

/** What the server is made of. */
export interface GeneratedSite {
  readonly adapter: 'node' | 'koa' | 'fastify' | 'express';
  readonly serveHits: 'after-middleware' | 'before-middleware';
  /** Of the built browser files. */
  readonly folder: string;
  readonly middlewares: number;
  /** What writes a line for each request. */
  readonly logs: 'nothing' | 'middleware' | 'feature';
  /** The content encodings that are made. Default: the adapter's own. */
  readonly encodings?: readonly 'br'[];
}

const site = JSON.parse(process.argv[2] ?? '') as GeneratedSite;
const homePage = readFileSync(join(site.folder, 'index.html'));
const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 's-maxage=3600' };
const lines = createWriteStream('/dev/null');
const log = (method?: string, target?: string, timeMs?: number): void => {
  lines.write(`${new Date(timeMs ?? Date.now()).toISOString()} ${method} ${target}\n`);
};
const requestLog = withRequestLog({
  write: (requests) => {
    for (const { method, target, timeMs } of requests) log(method, target, timeMs);
  },
});
const options = {
  /** The home page once more, rendered and stored. */
  engine: (request: Request): Response | null =>
    new URL(request.url).pathname === '/stored' ? new Response(homePage, { headers }) : null,
  allowedHosts: ['127.0.0.1'],
  files: {
    folder: site.folder,
    ...(site.encodings === undefined ? {} : { encodings: site.encodings }),
    maxFileBytes: 2 ** 24,
    maxBytes: 2 ** 32,
  },
  serveHits: site.serveHits,
  features: site.logs === 'feature' ? [requestLog] : [],
};

const servers = {
  node: () => {
    const server = createNodeSsrServer(options);
    for (let i = 0; i < site.middlewares; i++) server.use((_request, _response, next) => next());
    if (site.logs === 'middleware') {
      server.use((request, _response, next) => {
        log(request.method, request.url);
        next();
      });
    }
    return server;
  },
  koa: () => {
    const server = createKoaSsrServer(options);
    for (let i = 0; i < site.middlewares; i++) server.app.use((_context, next) => next());
    if (site.logs === 'middleware') {
      server.app.use((context, next) => {
        log(context.method, context.url);
        return next();
      });
    }
    return server;
  },
  express: () => {
    const server = createExpressSsrServer(options);
    for (let i = 0; i < site.middlewares; i++) {
      server.app.use((_request, _response, next) => next());
    }
    if (site.logs === 'middleware') {
      server.app.use((request, _response, next) => {
        log(request.method, request.url);
        next();
      });
    }
    return server;
  },
  fastify: () => {
    const server = createFastifySsrServer(options);
    for (let i = 0; i < site.middlewares; i++) {
      server.app.addHook('onRequest', (_request, _reply, done) => done());
    }
    if (site.logs === 'middleware') {
      server.app.addHook('onRequest', (request, _reply, done) => {
        log(request.method, request.url);
        done();
      });
    }
    return server;
  },
};
const server = servers[site.adapter]();
// With all encodings: until then an answer may come in another one.
await server.ready();
await server.listen();
