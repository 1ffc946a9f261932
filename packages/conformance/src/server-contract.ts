import type {
  CacheOptions,
  ErrorPageOptions,
  Feature,
  FilesOptions,
  HostCheck,
  RenderEngine,
  RenderOptions,
  RouteRule,
} from '@ng-ssr/core';
import type { ConformanceClient } from './client.ts';
import type { CallingFeatures } from './fixture-features.ts';

/** Where a server answers hits: after the user's middleware, or before it. */
export type Hits = 'after-middleware' | 'before-middleware';

/** A content encoding that a server makes itself. */
export type Encoding = 'br' | 'zstd' | 'gzip';

/** The options of a server under test; all are options of every adapter. */
export interface ConformanceServerOptions {
  engine: RenderEngine;
  /** A function is called in the suite's process, also for a server in another. */
  allowedHosts: string[] | HostCheck;
  trustProxyHeaders?: boolean | string[];
  files: FilesOptions & { folder: string };
  errorDetails?: boolean;
  errorPages?: ErrorPageOptions;
  /** Plain data, so that it can go to a server in another process. */
  cache?: Pick<CacheOptions, 'languages'>;
  routeRules?: Readonly<Record<string, RouteRule>>;
  render?: Pick<RenderOptions, 'concurrency' | 'encodings'>;
  /** A server in another process has others of the same names, which do the same. */
  features?: readonly Feature[];
  onError: (error: unknown) => void;
}

/** A server under test that listens. */
export interface ConformanceServer {
  /** Its port on this machine; `protocol: 'fetch'` has none. */
  readonly port?: number;
  /** Whether it runs in another process, whose `node:diagnostics_channel` is not this one's. */
  readonly isInOtherProcess?: boolean;
  /** Required for every protocol but `http/1.1`. */
  readonly client?: ConformanceClient;
  /** Resolves when pages are indexed and their encoded variants exist; a promise, or a function for one. */
  readonly ready?: PromiseLike<unknown> | (() => PromiseLike<unknown>);
  /** Stops it; resolves when it has released everything. */
  close(): unknown;
}

/** Why a case cannot pass: in every run, or in those listed. */
export type ExpectedFailure =
  string | { readonly reason: string; readonly serveHits: readonly Hits[] };

/** The description of an adapter for the suite. */
export interface ConformanceSuite {
  /** The adapter's name, in reports and as the name of its result file. */
  readonly name: string;
  /** The values of the adapter's option `serveHits`, each a run of the suite. Default: `['after-middleware']`. */
  readonly serveHits?: readonly Hits[];
  /** The client's protocol; cases that need bytes on an HTTP/1.1 wire run only over `http/1.1`. */
  readonly protocol?: 'http/1.1' | 'h2' | 'fetch';
  /**
   * Starts a server that has registered, in its own framework:
   * - first, a middleware that applies `fixtureEffect` (`fixtureMiddleware` on node:http and
   *   Express, `koaFixtureMiddleware` on Koa);
   * - the routes GET `/api/time` (JSON `{"now":<number>}`), POST `/api/echo` (the request's body
   *   back), GET `/api/missing` (404, `no such thing`) and POST `/form` (`taken`): `fixtureRoutes`, `koaFixtureRoutes`.
   *
   * @param options - What to give to the adapter.
   * @param hits - The value of this run.
   */
  createServer(
    options: ConformanceServerOptions,
    serveHits: Hits,
  ): ConformanceServer | Promise<ConformanceServer>;
  /** The functions of the adapter's package, where it has its own, as on Node. Default: those of `@ng-ssr/core`. */
  readonly features?: CallingFeatures;
  /**
   * Cases that this adapter cannot pass, by name, each with the reason. They run and must fail; a
   * name that is no case's, and a case that passes, are errors.
   */
  readonly expectedFailures?: Readonly<Record<string, ExpectedFailure>>;
  /**
   * Whether its runs execute every case in this repository's short test runs, too (NG_SSR_TESTS is `short`). There
   * other suites leave most of the cases that the core decides to the reference suites. Everywhere else each suite
   * executes every case. Default: false.
   */
  readonly isReference?: boolean;
  /**
   * Whether another suite runs the same adapter in its usual way, and this one with something beside it: threads,
   * HTTP/2, another version. In this repository's short test runs it then executes a quarter of the cases that depend
   * on the adapter. Default: false.
   */
  readonly isVariant?: boolean;
  /**
   * Groups of cases that do not run because they would not fail each time, by what their names begin with, each with
   * the reason.
   */
  readonly leftOut?: Readonly<Record<string, string>>;
}
