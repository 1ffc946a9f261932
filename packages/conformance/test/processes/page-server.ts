/**
 * A server without Angular, as a process of its own: {@link ServerProcess} starts it. Its pages say of
 * themselves what their query asks for.
 */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { PageStore } from '@ng-ssr/core';
import {
  createNodeSsrServer,
  withPurgeEndpoint,
  withRouter,
  withSharedStore,
} from '@ng-ssr/node/server';
import { redisPageStore } from '@ng-ssr/redis';
import { sqlitePageStore } from '@ng-ssr/sqlite';
import { folderBodies, s3Bodies, tieredPageStore } from '@ng-ssr/tiered-store';
import { pageText } from './page-text.ts';
import {
  type PageContent,
  type PageServerOptions,
  type PageServerState,
  PURGE_ENDPOINT,
} from './page-server-contract.ts';

/** Query parameters that become headers of the response. */
const HEADERS = ['cache-control', 'vary', 'cache-tag', 'set-cookie', 'location'];

const options = JSON.parse(process.argv[2]!) as PageServerOptions;
const { browserFolder, redis, sqlite, tiered, maxBytes, routeRules } = options;
let { clockAheadMs = 0 } = options;
const now = Date.now;
Date.now = () => now() + clockAheadMs;
const monotonicNow = performance.now.bind(performance);
performance.now = () => monotonicNow() + clockAheadMs;

const renders = new Map<string, number>();
const failing = new Set<string>();
const errors: string[] = [];
let arrived = 0;
let rendered = 0;
let held: (() => void)[] = [];

async function engine(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const render = ++rendered;
  renders.set(pathname, (renders.get(pathname) ?? 0) + 1);
  const delayMs = Number(searchParams.get('delay') ?? 0);
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (pathname.startsWith('/held/')) await new Promise<void>((resolve) => held.push(resolve));
  if (failing.has(pathname)) throw new Error(`${request.url} for ${request.headers.get('cookie')}`);

  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
  for (const name of HEADERS) {
    for (const value of searchParams.getAll(name)) headers.append(name, value);
  }
  // A visitor without an account gets the page that everybody gets.
  const isPersonal = pathname.startsWith('/account/') && request.headers.has('cookie');
  if (isPersonal) headers.set('cache-control', 'private, max-age=60');
  const echo = pathname.startsWith('/shared/') || isPersonal ? '*' : searchParams.get('echo');
  const seen = [['url', request.url] as const, ...request.headers].filter(
    ([name]) => echo === '*' || echo?.split(',').includes(name),
  );
  const bytes = Number(searchParams.get('bytes') ?? 0);
  const content: PageContent = {
    ...{ pid: process.pid, render, seen: Object.fromEntries(seen) },
    ...(bytes > 0 && { text: pageText(pathname, bytes) }),
  };
  const status = Number(searchParams.get('status') ?? 200);
  return new Response(JSON.stringify(content), { status, headers });
}

function createStore(): PageStore | undefined {
  const shared = redis ? redisPageStore(redis) : sqlite && sqlitePageStore(sqlite);
  if (shared === undefined || tiered === undefined) return shared;
  const { folder, s3, ...more } = tiered;
  const bodies = [...(folder ? [folderBodies(folder)] : []), ...(s3 ? [s3Bodies(s3)] : [])];
  return tieredPageStore({ index: shared, bodies, ...more });
}

const store = createStore();
const server = createNodeSsrServer({
  engine,
  files: { folder: browserFolder },
  allowedHosts: ['shop.example'],
  errorDetails: false,
  routeRules,
  cache: { maxBytes },
  // A busy machine is no overload.
  render: { maxWaitMs: 60_000 },
  features: [
    withRouter(),
    withPurgeEndpoint(PURGE_ENDPOINT),
    ...(store === undefined ? [] : [withSharedStore(store, { buildId: 'build' })]),
  ],
  onError: ({ code }) => errors.push(code),
});

server.use((request, _response, next) => {
  if (!request.url?.startsWith('/-/')) arrived++;
  next();
});

const tellState = (response: ServerResponse, path: string | undefined): void => {
  const state: PageServerState = {
    arrived,
    renders: path === undefined ? rendered : (renders.get(path) ?? 0),
    held: held.length,
    errors,
  };
  response.end(JSON.stringify(state));
};
server.router.get('/-/state', (_request, response, _params, _store, query) =>
  tellState(response, query['path']),
);
server.router.get('/-/release', (_request, response) => {
  for (const release of held) release();
  held = [];
  tellState(response, undefined);
});
server.router.get('/-/fail', (_request, response, _params, _store, query) => {
  failing.add(query['path']!);
  tellState(response, undefined);
});
server.router.get('/-/mend', (_request, response) => {
  failing.clear();
  tellState(response, undefined);
});
server.router.get('/-/advance', (_request, response, _params, _store, query) => {
  clockAheadMs += Number(query['ms']);
  tellState(response, undefined);
});

server.router.post('/comments', (_request, response) => {
  response.statusCode = 204;
  response.end();
});

// Clients that a busy machine delays must not send on a connection that this side has just closed.
const own = createServer({ keepAliveTimeout: 60_000 }, server.reqHandler);
const { port } = await server.listen({
  server: own,
  port: 0,
  host: '127.0.0.1',
  announce: false,
});
process.send?.({ port });
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void server.close().then(() => process.exit()));
