import { getRequestListener } from '@hono/node-server';
import { defineConformanceSuite } from '@ng-ssr/conformance';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { createHonoApp } from './apps/hono-app.ts';
import { honoLimits } from './runtime-limits.ts';
import { serveOnNode } from './runtimes/serve-on-node.ts';

defineConformanceSuite({
  name: 'hono',
  isReference: true,
  expectedFailures: honoLimits,
  createServer: (options) => {
    const routes = (request: Request) => app.fetch(request);
    const ssr = createFetchSsrHandler({ ...options, routes });
    const app = createHonoApp(ssr);
    return serveOnNode(getRequestListener(app.fetch), ssr);
  },
});
