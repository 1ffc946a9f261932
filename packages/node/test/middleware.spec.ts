import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { defineMiddlewareSuite } from '@ng-ssr/conformance';
import { createNodeSsrServer, type NodeMiddleware, withRouter } from '@ng-ssr/node/server';
import compression from 'compression';
import cookieSession from 'cookie-session';
import cors from 'cors';
import helmet from 'helmet';
import morgan from 'morgan';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp1Client, headerOf } from '../../conformance/src/client.ts';
import { writeBuiltSite } from '../../core/test/built-site.ts';

type Parsed = IncomingMessage & { body?: unknown };
type WithSession = IncomingMessage & { session?: { seen?: boolean } };

const requestId: NodeMiddleware = (request, response, next) => {
  response.setHeader('X-Request-Id', request.headers['x-request-id'] ?? randomUUID());
  next();
};

const startSession: NodeMiddleware = (request: WithSession, _, next) => {
  if (request.session?.seen === undefined) request.session = { seen: true };
  next();
};

const guard: NodeMiddleware = (request, response, next) => {
  if (request.headers['x-auth'] !== 'none') return next();
  response.statusCode = 401;
  response.end('unauthorized');
};

const parseBody: NodeMiddleware = async (request: Parsed, _, next) => {
  const type = request.headers['content-type'];
  if (type === 'application/json') request.body = await json(request);
  if (type === 'application/x-www-form-urlencoded') {
    request.body = Object.fromEntries(new URLSearchParams(await text(request)));
  }
  next();
};

defineMiddlewareSuite({
  name: 'node',
  createServer: async (options, log) => {
    const logger = morgan((tokens, request, response) => {
      const length = tokens['res']?.(request, response, 'content-length');
      log({ status: response.statusCode, length: length === undefined ? length : Number(length) });
      return undefined;
    });
    const server = createNodeSsrServer({
      ...options,
      features: [...(options.features ?? []), withRouter()],
    })
      .use(logger as NodeMiddleware)
      .use(compression({ threshold: 0 }) as unknown as NodeMiddleware)
      .use(helmet())
      .use(requestId)
      .use(cors({ origin: 'https://app.example', credentials: true }))
      .use(cookieSession({ keys: ['a key for tests'] }) as unknown as NodeMiddleware)
      .use(startSession)
      .use(guard)
      .use(parseBody);
    server.router.on('POST', '/api/form', (request, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end(JSON.stringify((request as Parsed).body));
    });
    server.router.on('GET', '/api/time', (_, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end(JSON.stringify({ now: Date.now() }));
    });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});

test('compression that encodes everything leaves a part of a held file', async () => {
  const model = 'abcde'.repeat(1000);
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['shop.example'],
    files: { folder: writeBuiltSite({ 'browser/chair.png': model }) },
  }).use(compression({ threshold: 0, filter: () => true }) as unknown as NodeMiddleware);
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => server.close());
  const headers = { 'accept-encoding': 'gzip', range: 'bytes=10-2009' };
  const part = await createHttp1Client(port).request({ target: '/chair.png', headers });
  expect(part.status).toBe(206);
  expect(headerOf(part, 'content-encoding')).toBeUndefined();
  expect(part.body.toString()).toBe(model.slice(10, 2010));
});
