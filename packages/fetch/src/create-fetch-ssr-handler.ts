import type { SsrOptions, StoredPages } from '@ng-ssr/core';
import {
  callable,
  isPromise,
  OPTION_NAMES,
  optional,
  splitTable,
  SsrHandler,
  withDefault,
} from '@ng-ssr/core/adapter';
import { closing, isClosing } from './closing.ts';
import { FetchExchange } from './fetch-exchange.ts';
import { createHalves, type Halves } from './halves.ts';
import { type EarlierResponse, toResponse } from './to-response.ts';
import { toRequest } from './to-request.ts';
import { toReqHandler } from './to-req-handler.ts';

/** Options of {@link createFetchSsrHandler}; `Rest` lists the arguments that follow the Request. */
export interface FetchSsrOptions<
  Rest extends readonly unknown[] = readonly unknown[],
> extends SsrOptions {
  /** Your app, which API calls with `inProcess` and slots with `call` need: `(request) => app.fetch(request)`. Default: none. */
  readonly routes?: ((request: Request) => Response | Promise<Response>) | undefined;
  /**
   * Returns Angular's `REQUEST_CONTEXT` from the Request and other arguments, such as Hono's context. Under `ng serve`
   * it gets only the Request. Default: null.
   */
  readonly requestContext?: ((request: Request, ...rest: Rest) => unknown) | undefined;
}

interface OwnOptions<Rest extends readonly unknown[]> {
  readonly routes: FetchSsrOptions<Rest>['routes'];
  readonly requestContext: (request: Request, ...rest: Rest) => unknown;
}

/** Angular SSR for servers with Request and Response. */
export interface FetchSsrHandler<
  Rest extends readonly unknown[] = readonly unknown[],
> extends Halves<Rest> {
  /**
   * Answers a probe. `answer` does so too, and `render` where your own check runs. Call it before
   * middleware that a probe must not depend on:
   * `fetch: (request, env) => ssr.probe(request) ?? app.fetch(request, env)`.
   */
  probe(request: Request): Response | Promise<Response> | undefined;
  /**
   * Starts the render threads and the content encodings, as the first request would. Resolves when the
   * first thread has started and every built file has its encodings; requests need not wait for it.
   */
  ready(): Promise<void>;
  /** Purges and inspects stored pages. */
  readonly cache: StoredPages;
  /**
   * Announces that the server is about to stop: the `ready` probe answers 503 from now on; other
   * requests are answered as before, under Bun and Deno with `Connection: close`. `shutDownOnSignals`
   * calls it.
   */
  drain(): void;
  /** Whether `drain` has been called. */
  readonly isDraining: boolean;
  /**
   * Stops background work, and resolves when that is done. `shutDownOnSignals` calls it; without it,
   * stop the server yourself.
   */
  close(): Promise<void>;
}

/**
 * Creates an Angular SSR handler `(Request) => Response` for Bun, Deno, Hono, h3, Elysia and others. It answers every
 * request. To run your routes after files and cached pages, use `@ng-ssr/fetch/hono`, `/h3` or `/elysia`.
 *
 * Headers of earlier middleware stay on the responses: cookies are added, Vary is the union, and the Cache-Control of
 * the middleware replaces that of the page.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const ssr = createFetchSsrHandler({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * export const reqHandler = ssr;
 * if (isMainModule(import.meta.url)) Bun.serve({ port: 4000, fetch: ssr });
 * ```
 */
export function createFetchSsrHandler<Rest extends readonly unknown[] = readonly unknown[]>(
  options: FetchSsrOptions<Rest>,
): FetchSsrHandler<Rest> {
  const { own, others } = splitTable<OwnOptions<Rest>, SsrOptions>(
    {
      routes: optional(callable('a function (request) => Response | Promise<Response>')),
      requestContext: withDefault(callable('a function (request, ...) => unknown'), () => null),
    },
    OPTION_NAMES,
    options,
  );
  const { routes, requestContext } = own;
  const handler = new SsrHandler(others);
  handler.threads?.refuse();
  if (routes !== undefined) handler.useRoutes((request) => routes(toRequest(request)));

  /** The earlier headers, with `Connection: close` where the handler has to send it. */
  const beside = (earlier: EarlierResponse | undefined): EarlierResponse | undefined =>
    isClosing(handler) ? closing(earlier) : earlier;
  const { whole, answer, render, answered } = createHalves<Rest>(handler, {
    toExchange: (request, earlier, [connection]) =>
      new FetchExchange(request, earlier, ssr, connection),
    beside,
    requestContext,
  });
  const findProbe = (request: Request): ReturnType<SsrHandler['probe']> => {
    try {
      const { method, target } = new FetchExchange(request);
      return handler.probe(method, target);
    } catch {
      // `answer` reports a request that cannot be read.
      return undefined;
    }
  };
  const probe: FetchSsrHandler<Rest>['probe'] = (request) => {
    const held = findProbe(request);
    if (isPromise(held)) return held.then((told) => toResponse(told, beside(undefined)));
    return held && toResponse(held, beside(undefined));
  };
  const ssr: FetchSsrHandler<Rest> = Object.assign(whole, {
    answer,
    render,
    answered,
    probe,
    cache: handler.cache,
    ready: () => handler.ready(),
    drain: () => handler.drain(),
    isDraining: false,
    close: () => handler.close(),
  });
  Object.defineProperty(ssr, 'isDraining', { get: () => handler.isDraining });
  return toReqHandler(ssr);
}
