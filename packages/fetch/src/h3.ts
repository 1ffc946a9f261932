import { isUnsafe } from '@ng-ssr/core/neutral';
import { isClosing } from './closing.ts';
import type { FetchSsrHandler } from './create-fetch-ssr-handler.ts';
import { type KeepPrivate, keeperOf } from './private-response.ts';
import type { SrvxRequest } from './received-target.ts';
import type { ResponseFactory } from './to-response.ts';

/** Marks an HTTPResponse for h3: parts for h3's own Response, which is faster on Node. */
const HTTP_RESPONSE = Symbol.for('h3.HTTPResponse');

/** The value that h3 takes for no answer. */
const NOT_FOUND = Symbol.for('h3.notFound');

const toHttpResponse: ResponseFactory<object> = (body, { status, headers }) => ({
  [HTTP_RESPONSE]: true,
  body,
  status,
  headers,
});

/** The members of h3's H3Event that are used. */
export interface H3SsrEvent {
  readonly req: Request;
  readonly res: { status?: number; readonly headers: Headers };
  readonly url?: URL;
  readonly context?: { params?: Record<string, string> | undefined; matchedRoute?: unknown };
  readonly app?: object | undefined;
}

/** A route as h3's `~findRoute` returns it. */
interface FoundRoute {
  readonly data: {
    readonly handler: (event: H3SsrEvent) => unknown;
    readonly middleware?: readonly Middleware[] | undefined;
  };
  readonly params?: Record<string, string>;
}

type Middleware = (event: H3SsrEvent, next: () => unknown) => unknown;

/**
 * The two halves of a handler for h3: a middleware, and a handler for requests that no route has taken.
 * Earlier headers and status of `event.res` are on the answers; `requestContext` gets h3's event.
 *
 * @example
 * ```ts
 * const pages = toH3(ssr);
 * app.use(pages.answer);
 * app.get('/api/time', () => ({ now: Date.now() }));
 * app.all('/**', pages.render);
 * ```
 */
export function toH3<Event extends H3SsrEvent>(
  ssr: FetchSsrHandler<[Event]>,
): {
  answer(event: Event, next?: () => unknown): unknown;
  render(event: Event): Promise<unknown>;
} {
  /** Removes the earlier headers: h3 would set them again, over the merged ones. */
  const settle = <Reply>({ res: { headers } }: Event, response: Reply): Reply => {
    for (const name of [...headers.keys()]) headers.delete(name);
    return response;
  };
  const reportAnswer = async (event: Event, next: () => unknown): Promise<unknown> => {
    const reply = await next();
    ssr.answered(requestOf(event), headOf(event, reply));
    return reply;
  };
  return {
    answer(event, next) {
      if (isClosing(ssr)) event.res.headers.set('Connection', 'close');
      const held = ssr.answer(requestOf(event), event.res, toHttpResponse);
      if (held !== undefined) return settle(event, held);
      if (next === undefined || !isUnsafe(event.req.method)) return undefined;
      return reportAnswer(event, next);
    },
    render: async (event) => {
      // For HEAD, h3 prefers a route for all methods to a more specific GET route.
      const route = event.req.method === 'HEAD' ? routeOfGet(event) : undefined;
      if (route !== undefined && route.data !== event.context?.matchedRoute) {
        const { data, params } = route;
        Object.assign(event.context ?? {}, { params, matchedRoute: data });
        return run(event, data.middleware ?? [], data.handler);
      }
      const response = await ssr.render(requestOf(event, true), event.res, event);
      const keep = keeperOf(response);
      settle(event, response);
      if (keep !== undefined) keepLater(event, keep);
      return response;
    },
  };
}

/** Keeps headers private that middleware sets later: h3 has others after each response that it makes. */
function keepLater(event: H3SsrEvent, keep: KeepPrivate): void {
  keep(event.res.headers, true);
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(event), 'res') ?? {};
  if (get === undefined) return;
  Object.defineProperty(event, 'res', {
    configurable: true,
    get(): H3SsrEvent['res'] {
      const res = Reflect.apply(get, event, []) as H3SsrEvent['res'];
      keep(res.headers, true);
      return res;
    },
  });
}

/**
 * The request with its URL as middleware has rewritten it. On Node both are one object; elsewhere h3
 * has a URL beside the Request. A mount removes its path from that URL, but the pages are built for the
 * full one.
 *
 * @param hasContent - Whether the pages may take the content: no route reads it.
 */
function requestOf({ req, url }: H3SsrEvent, hasContent = false): Request {
  if (url === undefined || (req as SrvxRequest).runtime?.node !== undefined) return req;
  const { pathname, search, href } = url;
  if (req.url.endsWith(pathname + search)) return req;
  const { method, headers } = req;
  // A route may still read the content, or has; Deno warns when a server reads the signal.
  const body = hasContent && !req.bodyUsed ? req.body : null;
  const signal = 'Deno' in globalThis ? null : req.signal;
  return new Request(href, { method, headers, signal, ...(body && { body, duplex: 'half' }) });
}

/** Status and headers of a route's return value, before h3 makes a response from it. */
function headOf({ res }: H3SsrEvent, reply: unknown): { status: number; headers: Headers } {
  if (reply === NOT_FOUND) return { status: 404, headers: res.headers };
  const isPart = typeof reply === 'object' && reply !== null;
  const isWhole = isPart && (reply instanceof Response || HTTP_RESPONSE in reply);
  const own = (isWhole ? reply : {}) as {
    status?: number;
    headers?: Headers | Record<string, string>;
  };
  const status = reply instanceof Error ? 500 : (own.status ?? res.status ?? 200);
  const headers = new Headers(res.headers);
  new Headers(own.headers).forEach((value, name) => headers.set(name, value));
  return { status, headers };
}

/** The GET route for the path of a HEAD request; h3 leaves out the content of its answer. */
function routeOfGet({ app, url }: H3SsrEvent): FoundRoute | undefined {
  const { '~findRoute': find } = (app ?? {}) as { '~findRoute'?: (event: object) => unknown };
  return find?.call(app, { req: { method: 'GET' }, url }) as FoundRoute | undefined;
}

/** Runs a route as h3 does: when middleware returns undefined, the next one runs. */
async function run(
  event: H3SsrEvent,
  [first, ...others]: readonly Middleware[],
  handler: FoundRoute['data']['handler'],
): Promise<unknown> {
  if (first === undefined) return handler(event);
  let later: Promise<unknown> | undefined;
  const next = (): Promise<unknown> => (later ??= run(event, others, handler));
  const result = await first(event, next);
  return result === undefined ? next() : result;
}
