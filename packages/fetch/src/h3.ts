import { isClosing } from './closing.ts';
import type { FetchSsrHandler } from './create-fetch-ssr-handler.ts';
import type { ResponseFactory } from './to-response.ts';

/** What h3 knows an HTTPResponse by: parts for its own Response, which on Node is the faster one. */
const HTTP_RESPONSE = Symbol.for('h3.HTTPResponse');

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
}

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
  answer(event: Event): object | undefined;
  render(event: Event): Promise<Response>;
} {
  /** h3 would set the earlier fields once more, over the merged ones. */
  const settle = <Reply>({ res: { headers } }: Event, response: Reply): Reply => {
    for (const name of [...headers.keys()]) headers.delete(name);
    return response;
  };
  return {
    answer(event) {
      if (isClosing(ssr)) event.res.headers.set('Connection', 'close');
      const held = ssr.answer(event.req, event.res, toHttpResponse);
      return held === undefined ? undefined : settle(event, held);
    },
    render: async (event) => settle(event, await ssr.render(event.req, event.res, event)),
  };
}
