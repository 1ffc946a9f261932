import { SsrError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { AskedPage } from '../stored/asked-page.ts';
import { cookieOf, type KeyMaker } from '../stored/cache-key.ts';

/** What tells one person from another, and what a page would greet somebody by. */
const PERSONAL = ['authorization', 'cookie'];

/**
 * The request an engine renders for a route that a rule declares shared: its URL and fields are those
 * of the key and no others, so that the page cannot hold anybody's data.
 *
 * @param isDevelopment - Whether a page that reads a cookie or Authorization there fails at once,
 * with `NG_SSR_REQUEST_NOT_SHARED`. In production it finds nothing.
 */
export function toSharedRequest(
  exchange: Exchange,
  origin: string,
  page: AskedPage,
  keys: KeyMaker,
  isDevelopment: boolean,
): Request {
  const { cookies = [], headers: names = [] } = page.rule?.vary ?? {};
  const headers = new Headers();
  headers.set('host', origin.slice(origin.indexOf('://') + 3));
  headers.set('accept', 'text/html');
  // It is part of the key wherever it is trusted: Angular puts it into the addresses of redirects.
  for (const name of ['x-forwarded-prefix', ...names]) {
    const value = keys.valueOf(exchange, name);
    if (value !== undefined) headers.set(name, value);
  }
  const pairs = cookies.flatMap((name) => {
    const value = cookieOf(exchange, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
  const request = new Request(origin + page.path + page.query, { headers });
  if (!isDevelopment) return request;
  const declared = new Set([...names, ...(cookies.length > 0 ? ['cookie'] : [])]);
  return guard(
    request,
    PERSONAL.filter((name) => !declared.has(name)),
  );
}

const guarded = new WeakMap<Request, readonly string[]>();

/** The fields of a request that {@link guard} keeps from being read. */
export function refusedFields(request: Request): readonly string[] {
  return guarded.get(request) ?? [];
}

/**
 * The request, with fields that throw when they are read.
 *
 * @param refused - Names in lower case.
 */
export function guard(request: Request, refused: readonly string[]): Request {
  const { headers } = request;
  const path = new URL(request.url).pathname;
  const check = (name: unknown): void => {
    const field = String(name).toLowerCase();
    if (!refused.includes(field)) return;
    throw new SsrError(
      'NG_SSR_REQUEST_NOT_SHARED',
      `${path} reads the request's ${field}, which its stored pages do not depend on: name it in ` +
        "the vary of the route's rule, or take sMaxage off the rule",
    );
  };
  const watched = new Proxy(headers, {
    get(target, property): unknown {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (property === 'get' || property === 'has') check(args[0]);
        return Reflect.apply(value, target, args);
      };
    },
  });
  guarded.set(request, refused);
  return Object.defineProperty(request, 'headers', { value: watched });
}
