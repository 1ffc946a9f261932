import {
  type Answer,
  type Exchange,
  type StreamedAnswer,
  type RouteAnswer,
  type SsrErrorCode,
  UNREADABLE_REQUEST,
} from '@ng-ssr/core/neutral';
import { type FetchExchange, keepParsed, takeParsed } from './fetch-exchange.ts';
import { toStreamedResponse } from './streamed-response.ts';
import {
  type EarlierResponse,
  newResponse,
  type ResponseFactory,
  toResponse,
} from './to-response.ts';

/** The answers of a handler, between which a framework's own routes run. */
export interface Halves<Rest extends readonly unknown[] = readonly unknown[]> {
  /** Answers every request: held bytes, a large file, a page, or a refusal. Never rejects. */
  (request: Request, ...rest: Rest): Response | Promise<Response>;
  /**
   * The first half, before the framework's own routes, and synchronous.
   *
   * @param earlier - Status and headers that middleware has set; they are on the answer too.
   * @param create - Makes a response of the framework's own kind in place of a Response.
   * @returns A held page or file, or the refusal of a malformed request; else undefined. Never
   * throws: a failure is reported, and answered with a 500.
   */
  answer(request: Request, earlier?: EarlierResponse): Response | undefined;
  answer<Reply>(
    request: Request,
    earlier: EarlierResponse | undefined,
    create: ResponseFactory<Reply>,
  ): Reply | undefined;
  /** The second half, after the routes: answers with a large file, a page, 404 or 405. Never rejects. */
  render(request: Request, earlier?: EarlierResponse, ...rest: Rest): Promise<Response>;
  /**
   * Reports the answer of your own route; call it before you return the answer. A successful answer to
   * an unsafe request invalidates the stored pages of its target (RFC 9111 section 4.4). `toHono` and
   * `toH3` call it for the routes after them, `toElysia` has a hook for it.
   */
  answered(request: Request, response: { status: number; headers: Headers }): void;
}

/** A handler of the core, on Node or elsewhere. */
interface Handler {
  answer(exchange: FetchExchange): Answer | undefined;
  largeFile(exchange: FetchExchange): Promise<Answer | StreamedAnswer> | undefined;
  complete(
    exchange: FetchExchange,
    requestContext?: unknown,
  ): Promise<Answer | StreamedAnswer | undefined>;
  answered(exchange: FetchExchange, answer: RouteAnswer): void;
  fail(exchange: Exchange, cause: unknown, code?: SsrErrorCode): Answer;
  notFound(exchange: FetchExchange): Answer;
}

/** What depends on the platform. */
interface HalvesParts<Rest extends readonly unknown[]> {
  readonly toExchange: (
    request: Request,
    earlier: EarlierResponse | undefined,
    rest: Rest | readonly [],
  ) => FetchExchange;
  /** Adds headers of the server to those of earlier middleware. */
  readonly beside: (earlier: EarlierResponse | undefined) => EarlierResponse | undefined;
  readonly requestContext: (request: Request, ...rest: Rest) => unknown;
  /** Default: `new Response`. */
  readonly create?: ResponseFactory<Response>;
}

/** The two halves of a handler, and both in one. */
export function createHalves<Rest extends readonly unknown[]>(
  handler: Handler,
  parts: HalvesParts<Rest>,
): Pick<Halves<Rest>, 'answer' | 'render' | 'answered'> & {
  readonly whole: (request: Request, ...rest: Rest) => Response | Promise<Response>;
} {
  const { toExchange, beside, requestContext, create: ownKind = newResponse } = parts;
  /** Reports a failure, and answers with a 500. Never throws. */
  const fail = <Reply>(
    exchange: Exchange,
    cause: unknown,
    earlier: EarlierResponse | undefined,
    create: ResponseFactory<Reply>,
  ): Reply => {
    const answer = handler.fail(exchange, cause);
    try {
      return toResponse(answer, beside(earlier), create);
    } catch {
      // The earlier headers or the framework's kind of response have failed.
      return toResponse(answer, undefined, newResponse as ResponseFactory<Reply>);
    }
  };
  /** Reads a request, and fails if that throws. */
  const read = <Reply, Result>(
    request: Request,
    earlier: EarlierResponse | undefined,
    rest: Rest | readonly [],
    create: ResponseFactory<Reply>,
    use: (exchange: FetchExchange) => Result,
  ): Result | Reply => {
    let exchange: FetchExchange;
    try {
      exchange = toExchange(request, earlier, rest);
    } catch (cause) {
      return fail(UNREADABLE_REQUEST, cause, earlier, create);
    }
    return use(exchange);
  };
  /** The first half, and what follows it if it has no answer. */
  const begin = <Reply, Result>(
    request: Request,
    earlier: EarlierResponse | undefined,
    rest: Rest | readonly [],
    create: ResponseFactory<Reply>,
    follow: (exchange: FetchExchange) => Result,
  ): Reply | Result => {
    let exchange: FetchExchange | undefined;
    try {
      exchange = toExchange(request, earlier, rest);
      const held = handler.answer(exchange);
      if (held !== undefined) return toResponse(held, beside(earlier), create);
    } catch (cause) {
      return fail(exchange ?? UNREADABLE_REQUEST, cause, earlier, create);
    }
    return follow(exchange);
  };
  const complete = async (
    exchange: FetchExchange,
    request: Request,
    earlier: EarlierResponse | undefined,
    ...rest: Rest
  ): Promise<Response> => {
    try {
      const answer = await (handler.largeFile(exchange) ??
        handler.complete(exchange, requestContext(request, ...rest)));
      closeWithClient(exchange, answer);
      return toStreamedResponse(answer ?? handler.notFound(exchange), beside(earlier), ownKind);
    } catch (cause) {
      return fail(exchange, cause, earlier, ownKind);
    }
  };
  return {
    answer: <Reply = Response>(
      request: Request,
      earlier?: EarlierResponse,
      create: ResponseFactory<Reply> = ownKind as ResponseFactory<Reply>,
    ): Reply | undefined => begin(request, earlier, [], create, keepParsed),
    render: async (request, earlier, ...rest) =>
      read(request, earlier, rest, ownKind, (exchange) =>
        complete(takeParsed(exchange), request, earlier, ...rest),
      ),
    whole: (request, ...rest) =>
      begin(request, undefined, rest, ownKind, (exchange) =>
        complete(exchange, request, undefined, ...rest),
      ),
    answered: (request, { status, headers }) => {
      const header = (name: string): string | undefined => headers.get(name) ?? undefined;
      // The route's response stays as it is, even if the request cannot be read.
      read<undefined, void>(
        request,
        undefined,
        [],
        () => undefined,
        (exchange) => handler.answered(takeParsed(exchange), { status, header }),
      );
    },
  };
}

/** Aborts what still runs for a client that leaves while middleware holds its page back, as Hono's `etag()` does. */
function closeWithClient(
  exchange: FetchExchange,
  answer: Answer | StreamedAnswer | undefined,
): void {
  if (answer === undefined || !('content' in answer) || answer.isPersonal !== true) return;
  const { content } = answer;
  if (content.pieces === undefined) exchange.onDisconnect(() => void content.close());
}
