import { isUnsafe } from '@ng-ssr/core/neutral';
import { isClosing } from './closing.ts';
import type { Halves } from './halves.ts';
import { rememberConnection } from './local-port.ts';
import { rememberTarget } from './received-target.ts';

/** The members of Hono's Context that are used. */
export interface HonoContext {
  /** With @hono/node-server it has Node's request, which shows the target as received. */
  readonly env?: unknown;
  readonly req: { readonly raw: Request };
  get res(): Response;
  set res(response: Response | undefined);
  body(data: null): Response;
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
