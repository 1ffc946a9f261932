import { isForCaches, isUnsafe } from '@ng-ssr/core/neutral';
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
    followLater(c, keeperOf(response));
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

/** Keep the responses of a context private, if its page has data of one client. */
const keepers = new WeakMap<object, KeepPrivate>();

/** By the prototype of a context: the same, which follows the responses that take the place of a page. */
const followers = new Map<object, object>();

/** What was thrown before the page of a context, as where the page is the answer to it. */
const earlierErrors = new WeakMap<object, unknown>();

/**
 * Follows the responses that take the place of a page: Hono makes one when middleware sets headers, and middleware when
 * it wraps the content. Hono gives each the headers of the one before.
 */
function followLater(c: HonoContext, keep: KeepPrivate | undefined): void {
  if (keep !== undefined) keepers.set(c, keep);
  const prototype = Object.getPrototypeOf(c) as object;
  let follower = followers.get(prototype);
  if (follower === undefined) {
    followers.set(prototype, (follower = toFollower(prototype)));
    // A context may get a second page.
    followers.set(follower, follower);
  }
  if (c.error !== undefined) earlierErrors.set(c, c.error);
  // An accessor of each context would cost a hit ten times as much.
  Object.setPrototypeOf(c, follower);
}

function toFollower(prototype: object): object {
  const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'res')!;
  const res = {
    get(this: HonoContext): Response {
      const response = Reflect.apply(get!, this, []) as Response;
      keepers.get(this)?.(response.headers);
      return response;
    },
    set(this: HonoContext, response: Response | undefined) {
      // The headers of a fetched one cannot be changed.
      const own = response && new Response(response.body, response);
      const { error } = this;
      if (error !== undefined && error !== earlierErrors.get(this)) {
        // Not without an error: where there is no response, to read it makes one, with the earlier headers.
        const page = Reflect.apply(get!, this, []) as Response;
        if (page !== response && (page.body === null || page.body !== response?.body)) {
          Object.setPrototypeOf(this, prototype);
          leave(page, own?.headers);
        }
      }
      Reflect.apply(set!, this, [own]);
    },
  };
  return Object.create(prototype, { res }) as object;
}

/** An error page must not have the length, the encoding and the cache headers of the page whose place it takes. */
function leave({ body, headers }: Response, ofError: Headers | undefined): void {
  for (const [name, value] of [...headers]) {
    if (!/^content-(?!security-)/.test(name) && !isForCaches(name)) continue;
    headers.delete(name);
    // Of its own, it keeps what differs, and a no-store.
    const isSafe = name === 'content-type' || (name === 'cache-control' && /no-store/i.test(value));
    if (!isSafe && ofError?.get(name) === value) ofError.delete(name);
  }
  // Slots have no reader then.
  void body?.cancel().catch(() => undefined);
}
