import type { SsrOptions } from '@ng-ssr/core';
import {
  callable,
  option,
  OPTION_NAMES,
  optional,
  splitTable,
  type Table,
  withDefault,
} from '@ng-ssr/core/adapter';
import type { NodeListener } from './node-listener.ts';

/** Where cached pages and files are served: after your middleware, or before the framework. */
export type Hits = 'after-middleware' | 'before-middleware';

/** Options of every server on Node. `Context` lists the arguments of the framework's handlers. */
export interface AdapterOptions<Context extends readonly unknown[]> extends SsrOptions {
  /**
   * `'before-middleware'` serves cached pages and files faster, without your middleware. Without middleware, they
   * always come first. Default: `'after-middleware'`.
   */
  readonly serveHits?: Hits | undefined;
  /**
   * Listener for API calls with `inProcess` and slots with `call`, if requests arrive at another one than the server's.
   * Default: the server's.
   */
  readonly routes?: NodeListener | undefined;
  /**
   * Returns Angular's `REQUEST_CONTEXT` from `(req, res)` in Express and node, `(ctx)` in Koa, `(request, reply)` in
   * Fastify. Pages of shared routes get null. A page that makes itself cacheable gets it: do not show a visitor's data
   * there. Default: null.
   */
  readonly requestContext?: ((...context: Context) => unknown) | undefined;
}

/** The options of an adapter and of the core. */
export interface SplitOptions<Context extends readonly unknown[]> {
  readonly serveHits: Hits;
  readonly routes: NodeListener | undefined;
  readonly requestContext: (...context: Context) => unknown;
  readonly ssr: SsrOptions;
}

const serveHits = option<Hits>(
  (given) => given === 'after-middleware' || given === 'before-middleware',
  '"after-middleware" or "before-middleware"',
);

/**
 * Checks an adapter's options and separates the core's from the adapter's own.
 *
 * @param more - Options that only this adapter has.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_OPTION_INVALID`
 */
export function splitOptions<Context extends readonly unknown[], More extends object = object>(
  options: AdapterOptions<Context> & { readonly [Name in keyof More]?: unknown },
  more: Table<More> = {} as Table<More>,
): SplitOptions<Context> & More {
  type Own = Omit<SplitOptions<Context>, 'ssr'>;
  const table: Table<Own> = {
    serveHits: withDefault(serveHits, 'after-middleware'),
    routes: optional(callable('a request listener (request, response) => void')),
    requestContext: withDefault(callable("a function of the framework's context"), () => null),
  };
  const { own, others } = splitTable<Own & More, SsrOptions>(
    { ...table, ...more } as Table<Own & More>,
    OPTION_NAMES,
    options,
  );
  return { ...own, ssr: others };
}
