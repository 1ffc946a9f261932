import {
  assertKnownOptions,
  check,
  OPTION_NAMES,
  SsrHandler,
  type SsrOptions,
  type StoredPages,
} from '@ng-ssr/core';
import { closing, isClosing } from './closing.ts';
import { FetchExchange } from './fetch-exchange.ts';
import { toFileResponse } from './large-file.ts';
import { type EarlierResponse, type ResponseFactory, toResponse } from './to-response.ts';
import { toReqHandler } from './to-req-handler.ts';

/** Options of {@link createFetchSsrHandler}; `Rest` is what the runtime hands over with a Request. */
export interface FetchSsrOptions<
  Rest extends readonly unknown[] = readonly unknown[],
> extends SsrOptions {
  /**
   * Makes what components inject as Angular's `REQUEST_CONTEXT`, from the Request and what the
   * runtime or framework gives with it: Bun's server, Deno's connection info, Hono's context. Under
   * `ng serve` there is nothing but the Request. Default: null.
   */
  readonly requestContext?: ((request: Request, ...rest: Rest) => unknown) | undefined;
}

/** Angular SSR for whatever speaks Request and Response. */
export interface FetchSsrHandler<Rest extends readonly unknown[] = readonly unknown[]> {
  /** Answers every request: held bytes, a large file, a page, or a refusal. Never rejects. */
  (request: Request, ...rest: Rest): Response | Promise<Response>;
  /**
   * The first half, before the framework's own routes, and synchronous.
   *
   * @param earlier - What middleware has set: status and fields are on the answer too.
   * @param create - Makes a response of the framework's own kind in place of a Response.
   * @returns A held page or file, or the refusal of a malformed request; else undefined. It never
   * throws: what fails is reported, and answered with a 500.
   */
  answer(request: Request, earlier?: EarlierResponse): Response | undefined;
  answer<Reply>(
    request: Request,
    earlier: EarlierResponse | undefined,
    create: ResponseFactory<Reply>,
  ): Reply | undefined;
  /** The second half, for what no route has taken: a large file, a page, 404 or 405. Never rejects. */
  render(request: Request, earlier?: EarlierResponse, ...rest: Rest): Promise<Response>;
  /**
   * Tells what a route of yours has answered, to be called before the answer is returned: a successful
   * answer to an unsafe request invalidates the stored pages of its target (RFC 9111 section 4.4).
   * `toHono` and `toH3` do so for the routes behind them, `toElysia` has it as a hook.
   */
  answered(request: Request, response: { status: number; headers: Headers }): void;
  /**
   * Answers a probe; `answer` does so too, and `render` where a check of yours runs. For a place before middleware that a probe must not depend
   * on: `fetch: (request, env) => ssr.probe(request) ?? app.fetch(request, env)`.
   */
  probe(request: Request): Response | Promise<Response> | undefined;
  /**
   * Starts the render threads and makes the content codings, which the first request would do.
   * Resolves when the first thread is there and every built file has its codings; requests need not
   * wait for it.
   */
  ready(): Promise<void>;
  /** Stored pages: to purge and to look at. */
  readonly cache: StoredPages;
  /**
   * The server is about to stop: the `ready` probe says 503 from now on, and all else goes on. Under
   * Bun and Deno the answers carry `Connection: close`. `shutDownOnSignals` calls it.
   */
  drain(): void;
  /** Whether `drain` has been called. */
  readonly isDraining: boolean;
  /**
   * Stops what runs in the background, and resolves when that is done. `shutDownOnSignals`
   * calls it; without that the server is yours to stop.
   */
  close(): Promise<void>;
}

/**
 * Creates an Angular SSR handler for Bun, Deno, Hono, h3, Elysia and all else that takes
 * `(Request) => Response`. It is whole as it is, and has two halves for a framework's own routes to
 * stand between: `@ng-ssr/fetch/hono`, `/h3` and `/elysia` place them.
 *
 * Fields that earlier middleware has set stay on the answers: cookies are added, Vary is the union,
 * and its Cache-Control wins over the page's.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`
 * @example
 * ```ts
 * const ssr = createFetchSsrHandler({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * export const reqHandler = ssr;
 * if (isMain(import.meta.url)) Bun.serve({ port: 4000, fetch: ssr });
 * ```
 */
export function createFetchSsrHandler<Rest extends readonly unknown[] = readonly unknown[]>(
  options: FetchSsrOptions<Rest>,
): FetchSsrHandler<Rest> {
  assertKnownOptions(options, [...OPTION_NAMES, 'requestContext']);
  const { requestContext = () => null, ...ssrOptions } = options;
  const isFunction = typeof requestContext === 'function';
  check('requestContext', requestContext, isFunction, 'a function (request, ...) => unknown');
  const handler = new SsrHandler(ssrOptions);

  /** What earlier middleware has set, and that the connection closes where that is for us to say. */
  const beside = (earlier: EarlierResponse | undefined): EarlierResponse | undefined =>
    isClosing(handler) ? closing(earlier) : earlier;
  const answer = <Reply = Response>(
    request: Request,
    earlier?: EarlierResponse,
    create?: ResponseFactory<Reply>,
  ): Reply | undefined => {
    const exchange = new FetchExchange(request, earlier);
    try {
      const held = handler.answer(exchange);
      return held === undefined ? undefined : toResponse(held, beside(earlier), create!);
    } catch (cause) {
      return toResponse(handler.fail(exchange, cause), beside(earlier), create!);
    }
  };
  const render: FetchSsrHandler<Rest>['render'] = async (request, earlier, ...rest) => {
    const exchange = new FetchExchange(request, earlier);
    try {
      const file = handler.largeFile(exchange);
      if (file !== undefined) return toFileResponse(await file, beside(earlier));
      const page = await handler.render(exchange, requestContext(request, ...rest));
      return toResponse(page ?? handler.notFound(exchange), beside(earlier));
    } catch (cause) {
      return toResponse(handler.fail(exchange, cause), beside(earlier));
    }
  };
  const whole = (request: Request, ...rest: Rest): Response | Promise<Response> =>
    answer(request) ?? render(request, undefined, ...rest);
  const probe: FetchSsrHandler<Rest>['probe'] = (request) => {
    const { method, target } = new FetchExchange(request);
    const held = handler.probe(method, target);
    if (held instanceof Promise) return held.then((told) => toResponse(told, beside(undefined)));
    return held && toResponse(held, beside(undefined));
  };
  const answered: FetchSsrHandler<Rest>['answered'] = (request, { status, headers }) => {
    const header = (name: string): string | undefined => headers.get(name) ?? undefined;
    handler.answered(new FetchExchange(request), { status, header });
  };
  const ssr = Object.assign(whole, {
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
