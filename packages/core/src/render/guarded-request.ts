import { SsrError } from '../errors.ts';

const guarded = new WeakMap<Request, readonly string[]>();

/** The headers of a request that {@link guard} keeps from being read. */
export function refusedHeaders(request: Request): readonly string[] {
  return guarded.get(request) ?? [];
}

/**
 * The request, with headers that throw when they are read.
 *
 * @param refused - Names in lower case.
 */
export function guard(request: Request, refused: readonly string[]): Request {
  const { headers } = request;
  const path = new URL(request.url).pathname;
  const check = (name: unknown): void => {
    const header = String(name).toLowerCase();
    if (!refused.includes(header)) return;
    const entry = header === 'cookie' ? "cookies: ['<name>']" : `headers: ['${header}']`;
    throw new SsrError(
      'NG_SSR_REQUEST_NOT_SHARED',
      `${path} reads the request's ${header}, but its cached pages do not vary by it: add ${entry} to ` +
        'vary of the route rule, or remove sMaxAge and freshness from the rule',
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
