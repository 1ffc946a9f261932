import { isClosing } from './closing.ts';
import type { FetchSsrHandler } from './create-fetch-ssr-handler.ts';

/** What is used of Hono's Context. */
export interface HonoContext {
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
      // An empty body of Hono's carries the status and the fields set so far.
      const held = ssr.answer(c.req.raw, c.body(null));
      return held === undefined ? next() : settle(c, held);
    },
    render: async (c) => settle(c, await ssr.render(c.req.raw, c.body(null), c)),
  };
}
