import { getRequestListener } from '@hono/node-server';
import { defineConformanceSuite } from '@ng-ssr/conformance';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { createHonoApp } from './apps/hono-app.ts';
import { honoLimits } from './runtime-limits.ts';
import { serveOnNode } from './runtimes/serve-on-node.ts';

defineConformanceSuite({
  name: 'hono, calls',
  isVariant: true,
  expectedFailures: honoLimits,
  // The whole suite with calls: nothing else may change by them.
  createServer: ({ calls, ...options }) => {
    const routes = (request: Request) => app.fetch(request);
    const all = { '**': { timeoutMs: 20_000, inProcess: false }, ...calls };
    const ssr = createFetchSsrHandler({ ...options, routes, calls: all });
    const app = createHonoApp(ssr);
    return serveOnNode(getRequestListener(app.fetch), ssr);
  },
});
