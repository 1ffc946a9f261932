import { getRequestListener } from '@hono/node-server';
import { CALLS, defineConformanceSuite } from '@ng-ssr/conformance';
import { createFetchSsrHandler, withCalls } from '@ng-ssr/fetch/server';
import { createHonoApp } from './apps/hono-app.ts';
import { honoLimits } from './runtime-limits.ts';
import { serveOnNode } from './runtimes/serve-on-node.ts';

defineConformanceSuite({
  name: 'hono, calls',
  isVariant: true,
  expectedFailures: honoLimits,
  // The whole suite with calls: nothing else may change by them.
  createServer: ({ features = [], ...options }) => {
    const routes = (request: Request) => app.fetch(request);
    const others = features.filter(({ name }) => name !== 'calls');
    const calls = withCalls({ '**': { timeoutMs: 20_000, inProcess: false }, ...CALLS });
    const ssr = createFetchSsrHandler({ ...options, routes, features: [...others, calls] });
    const app = createHonoApp(ssr);
    return serveOnNode(getRequestListener(app.fetch), ssr);
  },
});
