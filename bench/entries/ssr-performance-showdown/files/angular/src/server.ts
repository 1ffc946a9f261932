import { appEngine, createFastifySsrServer } from '@ng-ssr/fastify';

export const server = createFastifySsrServer({
  engine: appEngine(),
  allowedHosts: ['localhost', '127.0.0.1'],
  // The benchmark is about renders: each request has its own.
  cache: false,
});

export const reqHandler = server.reqHandler;
