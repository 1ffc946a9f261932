import { conformanceCases } from './cases/index.ts';
import { defineCases } from './define-cases.ts';
import type { ConformanceSuite } from './server-contract.ts';

/**
 * Defines the tests that every adapter must pass, once for each value of `serveHits`. Call it at the top of a vitest spec.
 *
 * Each run prints one line; with `NG_SSR_CONFORMANCE_OUT` set it is also written into that folder as
 * a `SuiteResult`, with the responses for a comparison of adapters.
 *
 * @param suite - The adapter: how to start it, and its expected failures.
 * @throws Error when `expectedFailures` names no case.
 * @example
 * ```ts
 * defineConformanceSuite({
 *   name: 'node',
 *   createServer: async (options) => {
 *     const server = createNodeSsrServer(options);
 *     server.use(fixtureMiddleware);
 *     server.use(fixtureRoutes);
 *     const { port } = await server.listen(0);
 *     return { port, ready: server.ready, close: () => server.close() };
 *   },
 * });
 * ```
 */
export function defineConformanceSuite(suite: ConformanceSuite): void {
  for (const serveHits of suite.serveHits ?? ['after-middleware']) {
    defineCases({ suite, cases: conformanceCases, serveHits, label: serveHits });
  }
}
