import { isUnsafe } from '@ng-ssr/core';
import { isClosing } from './closing.ts';
import type { FetchSsrHandler } from './create-fetch-ssr-handler.ts';
import type { SrvxRequest } from './received-target.ts';
import type { ResponseFactory } from './to-response.ts';

/** What h3 knows an HTTPResponse by: parts for its own Response, which on Node is the faster one. */
const HTTP_RESPONSE = Symbol.for('h3.HTTPResponse');

/** What h3 takes for no answer. */
const NOT_FOUND = Symbol.for('h3.notFound');

const toHttpResponse: ResponseFactory<object> = (body, { status, headers }) => ({
  [HTTP_RESPONSE]: true,
  body,
  status,
  headers,
});

/** What is used of h3's H3Event. */
export interface H3SsrEvent {
  readonly req: Request;
  readonly res: { status?: number; readonly headers: Headers };
  readonly url?: URL;
  readonly context?: { params?: Record<string, string> | undefined; matchedRoute?: unknown };
  readonly app?: object | undefined;
}

/** A route of h3's, as it finds it. */
interface FoundRoute {
  readonly data: {
    readonly handler: (event: H3SsrEvent) => unknown;
    readonly middleware?: readonly Middleware[] | undefined;
  };
  readonly params?: Record<string, string>;
}

type Middleware = (event: H3SsrEvent, next: () => unknown) => unknown;

/**
 * The two halves of a handler as h3's: a middleware, and a handler for all that no route has taken.
 * What `event.res` has before is on the answers; `requestContext` gets h3's event.
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
  /** h3 would set the earlier fields once more, over the merged ones. */
  const settle = <Reply>({ res: { headers } }: Event, response: Reply): Reply => {
    for (const name of [...headers.keys()]) headers.delete(name);
    return response;
  };
  const tell = async (event: Event, next: () => unknown): Promise<unknown> => {
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
      return tell(event, next);
    },
    render: async (event) => {
      // h3 prefers a route for all methods to a GET route that is more specific, for HEAD.
      const route = event.req.method === 'HEAD' ? routeOfGet(event) : undefined;
      if (route !== undefined && route.data !== event.context?.matchedRoute) {
        const { data, params } = route;
        Object.assign(event.context ?? {}, { params, matchedRoute: data });
        return run(event, data.middleware ?? [], data.handler);
      }
      return settle(event, await ssr.render(requestOf(event, true), event.res, event));
    },
  };
}

/**
 * The request with the URL that middleware has made of its own. On Node both are one object; elsewhere
 * h3 has a URL beside the Request. A mount takes its part off it, and the pages are built for the whole.
 *
 * @param hasContent - Whether the request is the pages' alone, with its content.
 */
function requestOf({ req, url }: H3SsrEvent, hasContent = false): Request {
  if (url === undefined || (req as SrvxRequest).runtime?.node !== undefined) return req;
  const { pathname, search, href } = url;
  if (req.url.endsWith(pathname + search)) return req;
  const { method, headers } = req;
  // A route may yet read the content, or has; Deno warns of each server that reads the signal.
  const body = hasContent && !req.bodyUsed ? req.body : null;
  const signal = 'Deno' in globalThis ? null : req.signal;
  return new Request(href, { method, headers, signal, ...(body && { body, duplex: 'half' }) });
}

/** Status and fields of what a route has returned, which h3 makes a response of later. */
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

/** h3 leaves the content out when it answers HEAD. */
function routeOfGet({ app, url }: H3SsrEvent): FoundRoute | undefined {
  const { '~findRoute': find } = (app ?? {}) as { '~findRoute'?: (event: object) => unknown };
  return find?.call(app, { req: { method: 'GET' }, url }) as FoundRoute | undefined;
}

/** Runs a route as h3 does: middleware that returns nothing goes on. */
async function run(
  event: H3SsrEvent,
  [first, ...others]: readonly Middleware[],
  handler: FoundRoute['data']['handler'],
): Promise<unknown> {
  if (first === undefined) return handler(event);
  let behind: Promise<unknown> | undefined;
  const next = (): Promise<unknown> => (behind ??= run(event, others, handler));
  const result = await first(event, next);
  return result === undefined ? next() : result;
}
