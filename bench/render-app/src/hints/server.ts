import { createSecureServer } from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';
import {
  appEngine,
  createNodeSsrServer,
  withCalls,
  withEarlyHints,
  withRouter,
} from '@ng-ssr/node';

/** The example's page of one visitor's orders over HTTP/2. Its API takes as long as the cookie `wait` says. */
const server = createNodeSsrServer({
  engine: appEngine(),
  routeRules: { '/live/account': { cache: false } },
  features: [
    withRouter(),
    withCalls({ '/api/account': { inProcess: true, forward: ['cookie'] } }),
    ...(process.env['HINTS'] === 'on' ? [withEarlyHints()] : []),
  ],
});

server.router.get('/api/account', async (request, response) => {
  await wait(Number(/\bwait=(\d+)/.exec(request.headers.cookie ?? '')?.[1]));
  const orders = Array.from({ length: 8 }, (_, at) => ({
    number: `2026-${at}`,
    piece: 'Speckled mug',
    state: 'On its way',
  }));
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ name: 'Ada', orders }));
});

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) {
  const { TLS_KEY: key, TLS_CERT: cert } = process.env;
  await server.listen({ server: createSecureServer({ key, cert }, server.reqHandler) });
}
