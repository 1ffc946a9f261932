import { isUnsafe } from '@ng-ssr/core/neutral';
import { isClosing } from './closing.ts';
import type { Halves } from './halves.ts';
import { rememberConnection } from './local-port.ts';
import { type KeepPrivate, keeperOf } from './private-response.ts';
import { rememberTarget } from './received-target.ts';

/** The members of Hono's Context that are used. */
export interface HonoContext {
  /** With @hono/node-server it has Node's request, which shows the target as received. */
  readonly env?: unknown;
  readonly req: { readonly raw: Request };
  get res(): Response;
  set res(response: Response | undefined);
  body(data: null): Response;
  /** What a handler has thrown. */
  readonly error?: unknown;
  header(name: string, value: string): void;
}

/**
 * The two halves of a handler for Hono: a middleware, and a handler for requests that no route has
 * taken. Headers and status from earlier `c.header` and `c.status` are on the answers;
 * `requestContext` gets Hono's context.
 *
 * @example
 * ```ts
 * const pages = toHono(ssr);
 * app.use(secureHeaders(), pages.answer);
 * app.get('/api/time', (c) => c.json({ now: Date.now() }));
 * app.all('*', pages.render);
 * ```
 */
export function toHono<Context extends HonoContext>(
  ssr: Halves<[Context]> & { readonly isDraining?: boolean },
): {
  answer(c: Context, next: () => Promise<void>): Promise<Response | void>;
  render(c: Context): Promise<Response>;
} {
  /** Clears `c.res` first: Hono would set the earlier headers again, over the merged ones. */
  const settle = (c: Context, response: Response): Response => {
    c.res = undefined;
    c.res = response;
    const keep = keeperOf(response);
    if (keep !== undefined) keepLater(c, keep);
    return response;
  };
  return {
    async answer(c, next) {
      if (isClosing(ssr)) c.header('Connection', 'close');
      const { incoming } = (c.env ?? {}) as { readonly incoming?: { readonly url?: string } };
      rememberTarget(c.req.raw, incoming?.url);
      rememberConnection(c.req.raw, c.env);
      // `c.body(null)` carries the status and the headers set so far.
      const held = ssr.answer(c.req.raw, c.body(null));
      if (held !== undefined) return settle(c, held);
      if (!isUnsafe(c.req.raw.method)) return next();
      await next();
      ssr.answered(c.req.raw, c.res);
    },
    render: async (c) => settle(c, await ssr.render(c.req.raw, c.body(null), c)),
  };
}

/** Keeps each later response private: Hono makes one when middleware sets headers, and middleware when it wraps the content. */
function keepLater(c: HonoContext, keep: KeepPrivate): void {
  let isPage = true;
  const { get, set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(c), 'res')!;
  Object.defineProperty(c, 'res', {
    configurable: true,
    get(): Response {
      const response = Reflect.apply(get!, c, []) as Response;
      keep(response.headers);
      return response;
    },
    set(response: Response | undefined) {
      const { body, headers } = Reflect.apply(get!, c, []) as Response;
      // The headers of a fetched one cannot be changed.
      const own = response && new Response(response.body, response);
      // An error page takes the place of this one, whose slots then have no reader. Hono gives it the headers of this one.
      if (isPage && c.error !== undefined && body !== response?.body) {
        isPage = false;
        for (const name of ['content-encoding', 'content-length']) {
          headers.delete(name);
          own?.headers.delete(name);
        }
        void body?.cancel().catch(() => undefined);
      }
      Reflect.apply(set!, c, [own]);
    },
  });
}
