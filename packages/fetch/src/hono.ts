import { isUnsafe } from '@ng-ssr/core';
import { isClosing } from './closing.ts';
import type { FetchSsrHandler } from './create-fetch-ssr-handler.ts';
import { rememberTarget } from './received-target.ts';

/** What is used of Hono's Context. */
export interface HonoContext {
  /** Of @hono/node-server: Node's request, which shows the target as it was received. */
  readonly env?: unknown;
  readonly req: { readonly raw: Request };
  get res(): Response;
  set res(response: Response | undefined);
  body(data: null): Response;
  header(name: string, value: string): void;
}

/**
 * The two halves of a handler as Hono's: a middleware, and a handler for all that no route has
 * taken. What `c.header` and `c.status` have set before is on the answers; `requestContext` gets
 * Hono's context.
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
  ssr: FetchSsrHandler<[Context]>,
): {
  answer(c: Context, next: () => Promise<void>): Promise<Response | void>;
  render(c: Context): Promise<Response>;
} {
  /** Hono would set the earlier fields once more, over the merged ones. */
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
      // An empty body of Hono's carries the status and the fields set so far.
      const held = ssr.answer(c.req.raw, c.body(null));
      if (held !== undefined) return settle(c, held);
      if (!isUnsafe(c.req.raw.method)) return next();
      await next();
      ssr.answered(c.req.raw, c.res);
    },
    render: async (c) => settle(c, await ssr.render(c.req.raw, c.body(null), c)),
  };
}
