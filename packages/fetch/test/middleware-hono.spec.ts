import { randomUUID } from 'node:crypto';
import { defineMiddlewareSuite } from '@ng-ssr/conformance';
import { toHono } from '@ng-ssr/fetch/hono';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { getCookie, setCookie } from 'hono/cookie';
import { cors } from 'hono/cors';
import { logger } from 'hono/logger';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { serveOnNode } from './runtimes/serve-on-node.ts';
import { getRequestListener } from '@hono/node-server';

defineMiddlewareSuite({
  name: 'hono',
  createServer: async (options, log) => {
    const ssr = createFetchSsrHandler(options);
    const pages = toHono(ssr);
    const app = new Hono();
    app.use(async (c, next) => {
      await logger(() => undefined)(c, next);
      // What Hono's routes answer gets its length from the server.
      const header = c.res.headers.get('content-length');
      const isCounted = header === null && c.req.method !== 'HEAD';
      const counted = isCounted ? (await c.res.clone().arrayBuffer()).byteLength : undefined;
      log({ status: c.res.status, length: header === null ? counted : Number(header) });
    });
    app.use(compress({ threshold: 0 }));
    app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"] } }));
    app.use(requestId({ generator: (c) => c.req.header('x-request-id') ?? randomUUID() }));
    app.use(cors({ origin: 'https://app.example', credentials: true }));
    app.use(async (c, next) => {
      if (getCookie(c, 'session') === undefined) setCookie(c, 'session', randomUUID());
      await next();
    });
    app.use(async (c, next) => {
      if (c.req.header('x-auth') === 'none') return c.text('unauthorized', 401);
      await next();
    });
    app.use(pages.answer);
    // Hono parses no body before a route asks for it.
    app.post('/api/form', async (c) => {
      const isJson = c.req.header('content-type') === 'application/json';
      return c.json(isJson ? await c.req.json() : await c.req.parseBody());
    });
    app.get('/api/time', (c) => c.json({ now: Date.now() }));
    app.all('*', pages.render);
    return serveOnNode(getRequestListener(app.fetch), ssr);
  },
});
