import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Edge, type RouteRule, type SsrError, withEdge } from '@ng-ssr/core';
import { createNodeSsrServer, type NodeSsrServer, withRouter } from '@ng-ssr/node/server';
import { noteRun } from '../../../examples/material-app/test/deploy/run-log.ts';

/** A server without Angular, whose pages show the versions of what they are made of. */
export interface Shop {
  readonly server: NodeSsrServer;
  readonly port: number;
  /** The current version of each path; 0 if it was never changed. */
  readonly versions: Map<string, number>;
  readonly errors: SsrError[];
  /** Renders so far. */
  renders: number;
  /** Called between the reading of a version and the page. */
  onRender: (path: string) => Promise<void> | void;
  close(): Promise<void>;
}

const RULES: Readonly<Record<string, RouteRule>> = {
  '/account': {},
  '/error/**': { sMaxAge: 600, staleIfError: 600 },
  '/hard/**': { sMaxAge: 600, tags: ['all'] },
  '/languages': { sMaxAge: 600, vary: { headers: ['accept-language'] } },
  '/short': { sMaxAge: 1, staleWhileRevalidate: 600 },
  '/themes': { sMaxAge: 600, vary: { cookies: ['theme'] } },
  '/**': { sMaxAge: 600, staleWhileRevalidate: 600, tags: ['all'] },
};

/** What a page says of itself. */
export interface PageText {
  readonly path: string;
  readonly version: number;
  readonly render: number;
}

export async function openShop(edge: Edge, port = 0): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-shop-'));
  const versions = new Map<string, number>();
  const errors: SsrError[] = [];
  const engine = async (request: Request): Promise<Response | null> => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/-/')) return null;
    const render = ++shop.renders;
    const version = versions.get(pathname) ?? 0;
    await shop.onRender(pathname);
    const language = request.headers.get('accept-language');
    const headers = { 'content-type': 'application/json', 'cache-tag': `page:${pathname}` };
    const filler = 'x'.repeat(2000);
    return Response.json({ path: pathname, version, render, language, filler }, { headers });
  };
  const server = createNodeSsrServer({
    engine,
    files: { folder },
    // Varnish passes on the Host of its own port.
    allowedHosts: ['*'],
    probes: { ready: '/readyz' },
    errorDetails: false,
    routeRules: RULES,
    features: [withRouter(), withEdge(edge)],
    onError: (error) => errors.push(error),
  });
  const { router } = server;
  router.get('/session', (_request, response) => {
    response.setHeader('set-cookie', 'id=1');
    response.end(String(Math.random()));
  });
  router.get('/api/time', (_request, response) => {
    response.end(String(Math.random()));
  });
  router.post('/hard/:id', (_request, response) => {
    response.statusCode = 204;
    response.end();
  });
  const shop: Shop = {
    server,
    port: 0,
    versions,
    errors,
    renders: 0,
    onRender: () => undefined,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const listening = await server.listen({ port, host: '127.0.0.1', announce: false });
  return Object.assign(shop, { port: listening.port });
}

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly page: PageText;
  /** How Varnish has answered. */
  readonly varnish: 'hit' | 'miss' | 'bypass' | undefined;
}

export async function ask(
  url: string,
  own: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answered> {
  const response = await fetch(url, { method, headers: own });
  const { status, headers } = response;
  noteRun({ asked: `${method === 'GET' ? '' : `${method} `}${new URL(url).pathname} ${status}` });
  const text = await response.text();
  const isPage = headers.get('content-type') === 'application/json';
  const page = (isPage && text !== '' ? JSON.parse(text) : {}) as PageText;
  const varnish = /Varnish; (?:fwd=)?(\w+)/.exec(headers.get('cache-status') ?? '')?.[1];
  return { status, headers, text, page, varnish: varnish as Answered['varnish'] };
}
