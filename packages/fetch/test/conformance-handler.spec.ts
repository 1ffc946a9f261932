import { defineConformanceSuite, type ConformanceClient, FIXTURE_HOST } from '@ng-ssr/conformance';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { createBareApp } from './apps/bare-app.ts';

/** Calls a handler without a server between. */
function createHandlerClient(
  handle: (request: Request) => Response | Promise<Response>,
): ConformanceClient {
  return {
    async request({ method = 'GET', target, headers, body }) {
      const host = headers?.['host'] ?? FIXTURE_HOST;
      const url = `http://${host}${target}`;
      const request = new Request(url, {
        method,
        headers: { host, ...headers },
        body: body ?? null,
      });
      const response = await handle(request);
      return {
        status: response.status,
        headers: [...response.headers],
        body: Buffer.from(await response.arrayBuffer()),
      };
    },
  };
}

defineConformanceSuite({
  name: 'fetch',
  protocol: 'fetch',
  createServer: (options) => {
    const routes = (request: Request) => app(request);
    const ssr = createFetchSsrHandler({ ...options, routes });
    const app = createBareApp(ssr);
    return { client: createHandlerClient(app), ready: ssr.ready, close: ssr.close };
  },
});
