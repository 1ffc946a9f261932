import type { NodeSsrServer } from '@ng-ssr/node';
import type { fixtureRoutes } from '@ng-ssr/conformance';
import type { createNodeSsrServer } from '@ng-ssr/node';

/** The server of an adapter under test. */
export declare function createExampleSsrServer(
  options: Parameters<typeof createNodeSsrServer>[0],
): NodeSsrServer & { routes(routes: typeof fixtureRoutes): void };

/** Where runs of the suite have written their results. */
export declare const folder: string;
