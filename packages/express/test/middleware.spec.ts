import { randomUUID } from 'node:crypto';
import { defineMiddlewareSuite } from '@ng-ssr/conformance';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import compression from 'compression';
import cookieSession from 'cookie-session';
import cors from 'cors';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import morgan from 'morgan';
import { expressName } from './express-version.ts';

const requestId: RequestHandler = (request, response, next) => {
  response.set('X-Request-Id', request.get('x-request-id') ?? randomUUID());
  next();
};

const startSession: RequestHandler = (request, _, next) => {
  if (request.session?.['seen'] === undefined) request.session = { seen: true };
  next();
};

const guard: RequestHandler = (request, response, next) => {
  if (request.get('x-auth') !== 'none') next();
  else response.status(401).type('text').send('unauthorized');
};

defineMiddlewareSuite({
  name: expressName,
  createServer: async (options, log) => {
    const logger = morgan((tokens, request, response) => {
      const length = tokens['res']?.(request, response, 'content-length');
      log({ status: response.statusCode, length: length === undefined ? length : Number(length) });
      return undefined;
    });
    const server = createExpressSsrServer(options);
    server.app
      .use(logger)
      .use(compression({ threshold: 0 }))
      .use(helmet())
      .use(requestId)
      .use(cors({ origin: 'https://app.example', credentials: true }))
      .use(cookieSession({ keys: ['a key for tests'] }))
      .use(startSession)
      .use(guard)
      .use(express.json(), express.urlencoded({ extended: false }));
    server.router.post('/api/form', (request, response) => {
      response.json(request.body);
    });
    server.router.get('/api/time', (_, response) => {
      response.json({ now: Date.now() });
    });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
