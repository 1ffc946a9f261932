import { createHttp1Client } from '../client.ts';
import { defineCases } from '../define-cases.ts';
import type {
  ConformanceServer,
  ConformanceServerOptions,
  ConformanceSuite,
} from '../server-contract.ts';
import { middlewareCases } from './cases.ts';
import { RequestLog, type LogLine } from './request-log.ts';

/** How to start an adapter after its framework's own middleware. */
export interface MiddlewareSuite {
  /** The adapter's name, in reports and as the name of its result file. */
  readonly name: string;
  /**
   * Starts a server that has registered, each in the form that is usual in the framework and in
   * this order, before the pages:
   *
   * 1. a logger that calls `log` once per finished request;
   * 2. compression, with threshold 0 and its default filter;
   * 3. helmet with its defaults;
   * 4. a request id: the response's `X-Request-Id` is the request's, or a random one;
   * 5. CORS for the origin `https://app.example`, with credentials;
   * 6. a session: `Set-Cookie: session=...` for a request that brings none;
   * 7. a guard that answers a request with `x-auth: none` with 401 and `unauthorized`;
   * 8. a body parser for JSON and urlencoded forms;
   *
   * and the routes POST `/api/form`, which answers the parsed body as JSON, and GET `/api/time`
   * (`{"now":<number>}`).
   *
   * @param options - What to give to the adapter.
   * @param log - Called by the logger with the final status and its content length.
   */
  createServer(
    options: ConformanceServerOptions,
    log: (line: LogLine) => void,
  ): ConformanceServer | Promise<ConformanceServer>;
  /** As in {@link ConformanceSuite}. */
  readonly expectedFailures?: NonNullable<ConformanceSuite['expectedFailures']>;
}

/**
 * Defines the tests of an adapter after its framework's own middleware: its headers are on every answer,
 * its refusals are sent, and it changes nothing else in the pages' answers. Call it at the top of a
 * vitest spec.
 *
 * @param suite - The adapter: how to start it, and its expected failures.
 * @throws Error when `expectedFailures` names no case.
 */
export function defineMiddlewareSuite(suite: MiddlewareSuite): void {
  const watched: ConformanceSuite = {
    ...suite,
    async createServer(options) {
      const log = new RequestLog();
      const server = await suite.createServer(options, log.add);
      const client = server.client ?? createHttp1Client(server.port ?? 0);
      return {
        ...(server.port !== undefined && { port: server.port }),
        client: log.watch(client),
        ready: () =>
          Promise.resolve(typeof server.ready === 'function' ? server.ready() : server.ready),
        close: () => server.close(),
      };
    },
  };
  defineCases({
    suite: watched,
    cases: middlewareCases,
    serveHits: 'after-middleware',
    label: 'middleware',
  });
}
