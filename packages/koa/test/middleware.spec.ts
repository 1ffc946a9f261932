import { randomUUID } from 'node:crypto';
import { bodyParser } from '@koa/bodyparser';
import cors from '@koa/cors';
import { defineMiddlewareSuite } from '@ng-ssr/conformance';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import compression from 'compression';
import type { Context, Middleware } from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import logger from 'koa-logger';
import session from 'koa-session';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp1Client, headerOf } from '../../conformance/src/client.ts';
import { writeBuiltSite } from '../../core/test/built-site.ts';

const requestId: Middleware = (context, next) => {
  context.set('X-Request-Id', context.get('x-request-id') || randomUUID());
  return next();
};

const startSession: Middleware = (context: Context, next) => {
  if (context['session'].seen === undefined) context['session'].seen = true;
  return next();
};

const guard: Middleware = async (context, next) => {
  if (context.get('x-auth') !== 'none') return next();
  context.status = 401;
  context.body = 'unauthorized';
};

defineMiddlewareSuite({
  name: 'koa',
  createServer: async (options, log) => {
    const server = createKoaSsrServer(options);
    server.app.keys = ['a key for tests'];
    server.app
      // koa-logger prints lengths such as 66.4kb: the exact one is the response's.
      .use((context, next) =>
        logger({
          transporter: (_, [, , , status]) => {
            const { length } = context.response;
            if (status !== undefined) log({ status: Number(status), length });
          },
        })(context, next),
      )
      .use(compress({ threshold: 0 }))
      .use(helmet())
      .use(requestId)
      .use(cors({ origin: 'https://app.example', credentials: true }))
      .use(session({ key: 'session' }, server.app))
      .use(startSession)
      .use(guard)
      .use(bodyParser());
    server.router.post('/api/form', (context) => {
      context.body = (context.request as { body?: unknown }).body;
    });
    server.router.get('/api/time', (context) => {
      context.body = { now: Date.now() };
    });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});

// As koa-connect runs it; koa-compress leaves parts by itself.
test('Express middleware that encodes everything leaves a part of a held file', async () => {
  const image = 'abcde'.repeat(1000);
  const server = createKoaSsrServer({
    engine: () => null,
    allowedHosts: ['shop.example'],
    files: { folder: writeBuiltSite({ 'browser/chair.png': image }) },
  });
  const encode = compression({ threshold: 0, filter: () => true });
  server.app.use(async ({ req, res }, next) => {
    await new Promise((resolve) => encode(req as never, res as never, resolve));
    return next();
  });
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => server.close());
  const headers = { 'accept-encoding': 'gzip', range: 'bytes=10-2009' };
  const part = await createHttp1Client(port).request({ target: '/chair.png', headers });
  expect(part.status).toBe(206);
  expect(headerOf(part, 'content-encoding')).toBeUndefined();
  expect(part.body.toString()).toBe(image.slice(10, 2010));
});
