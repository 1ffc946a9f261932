import { defineConformanceSuite } from '@ng-ssr/conformance';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { toNodeHandler } from 'h3';
import { createH3App } from './apps/h3-app.ts';
import { h3Limits } from './runtime-limits.ts';
import { serveOnNode } from './runtimes/serve-on-node.ts';

defineConformanceSuite({
  name: 'h3',
  expectedFailures: h3Limits,
  createServer: (options) => {
    const routes = (request: Request) => app.fetch(request);
    const ssr = createFetchSsrHandler({ ...options, routes });
    const app = createH3App(ssr);
    return serveOnNode(toNodeHandler(app), ssr);
  },
});
