import { isUnsafe } from '@ng-ssr/core/neutral';
import { isClosing } from './closing.ts';
import type { FetchSsrHandler } from './create-fetch-ssr-handler.ts';
import { rememberConnection } from './local-port.ts';
import { isKept, keeperOf } from './private-response.ts';
import type { EarlierResponse } from './to-response.ts';

/** The members of Elysia's context that are used, in `onRequest` and in a route. */
export interface ElysiaContext {
  readonly request: Request;
  readonly body?: unknown;
  /** Bun's server. */
  readonly server?: unknown;
  /** The route's return value, in a hook that runs after it. */
  readonly responseValue?: unknown;
  readonly set: { status?: number | string; headers: object };
}

/**
 * The two halves of a handler for Elysia: a hook for `onRequest`, and a handler for requests that no
 * route has taken. Earlier headers and status of `set` are on the answers; `requestContext` gets
 * Elysia's context. `answered` is a hook for `onAfterHandle`: when a later route answers an unsafe
 * request successfully, the stored pages of its path are invalidated.
 *
 * @remarks
 * Guards in `onBeforeHandle` run after `onRequest`, so they do not run for held pages. Where they must,
 * leave out the hook and use `whole` instead of `render`. `parse: 'none'` leaves the content of refused
 * requests unread, and that of purges to `withPurgeEndpoint()` unparsed.
 * @example
 * ```ts
 * const pages = toElysia(ssr);
 * const app = new Elysia()
 *   .onRequest(pages.answer)
 *   .onAfterHandle(pages.answered)
 *   .get('/api/time', () => ({ now: Date.now() }))
 *   .all('/*', pages.render, { parse: 'none' });
 * ```
 */
export function toElysia<Context extends ElysiaContext>(
  ssr: FetchSsrHandler<[Context]>,
): {
  answer(context: Context): Response | undefined;
  render(context: Context): Promise<Response>;
  answered(context: Context): void;
  whole(context: Context): Response | Promise<Response>;
} {
  /** Resets `set`: Elysia would set the earlier status and headers again. */
  const settle = ({ set }: Context, response: Response): Response => {
    set.headers = {};
    if (keeperOf(response) !== undefined) keepLater(set);
    // Elysia itself resolves a status that is a name.
    if (typeof set.status === 'number') set.status = 200;
    return response;
  };
  const answer = (context: Context): Response | undefined => {
    if (isClosing(ssr)) Object.assign(context.set.headers, { connection: 'close' });
    rememberConnection(context.request, context.server);
    const held = ssr.answer(context.request, toEarlier(context));
    return held === undefined ? undefined : settle(context, held);
  };
  const render = async (context: Context): Promise<Response> =>
    settle(context, await ssr.render(unread(context), toEarlier(context), context));
  const answered = (context: Context): void => {
    if (isUnsafe(context.request.method)) ssr.answered(context.request, headOf(context));
  };
  return { answer, render, answered, whole: (context) => answer(context) ?? render(context) };
}

/** Adds no header that would have a cache keep a response: Elysia sends them beside those of the page. */
function keepLater(set: ElysiaContext['set']): void {
  const without = (given?: object): object =>
    Object.assign(
      new Proxy(
        {},
        {
          defineProperty: (headers, name, property) =>
            isKept(String(name)) || Reflect.defineProperty(headers, name, property),
        },
      ),
      given,
    );
  let headers = without();
  Object.defineProperty(set, 'headers', {
    configurable: true,
    enumerable: true,
    get: () => headers,
    set: (given?: object) => (headers = without(given)),
  });
}

/** The request, with its content restored where Elysia has read it. */
function unread({ request, body }: ElysiaContext): Request {
  if (!request.bodyUsed || body === undefined) return request;
  const { url, method, headers } = request;
  const isBytes = typeof body === 'string' || body instanceof ArrayBuffer;
  return new Request(url, { method, headers, body: isBytes ? body : JSON.stringify(body) });
}

function toEarlier({ set: { status, headers } }: ElysiaContext): EarlierResponse {
  let earlier: Headers | undefined;
  for (const [name, value] of Object.entries(headers)) {
    earlier ??= new Headers();
    for (const line of Array.isArray(value) ? value : [value]) earlier.append(name, String(line));
  }
  return { status: typeof status === 'number' ? status : undefined, headers: earlier };
}

/** Elysia's names of statuses that are not errors, as `set.status` may hold them. */
const STATUSES: Readonly<Record<string, number>> = {
  ...{ OK: 200, Created: 201, Accepted: 202, 'Non-Authoritative Information': 203 },
  ...{ 'No Content': 204, 'Reset Content': 205, 'Partial Content': 206, 'Multi-Status': 207 },
  ...{ 'Multiple Choices': 300, 'Moved Permanently': 301, Found: 302, 'See Other': 303 },
  ...{ 'Not Modified': 304, 'Temporary Redirect': 307, 'Permanent Redirect': 308 },
};

/** Status and headers of a route's return value, before Elysia makes a response from it. */
function headOf({ set, responseValue }: ElysiaContext): { status: number; headers: Headers } {
  const headers = new Headers();
  for (const [name, value] of Object.entries(set.headers)) headers.set(name, String(value));
  if (responseValue instanceof Response) {
    responseValue.headers.forEach((value, name) => headers.set(name, value));
    return { status: responseValue.status, headers };
  }
  if (responseValue instanceof Error) return { status: 500, headers };
  // The result of Elysia's `status`.
  const { code } = (responseValue ?? {}) as { code?: unknown };
  const isStatus = responseValue?.constructor.name === 'ElysiaCustomStatusResponse';
  const status = (isStatus ? (code as number | string) : set.status) ?? 200;
  return { status: typeof status === 'number' ? status : (STATUSES[status] ?? 500), headers };
}
