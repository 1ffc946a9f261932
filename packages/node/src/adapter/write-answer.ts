import type { ServerResponse } from 'node:http';
import {
  type Answer,
  type Exchange,
  headersBeside,
  joinLines,
  headersForOne,
  isForCaches,
  type SsrHandler,
  type StreamedAnswer,
  UNREADABLE_REQUEST,
} from '@ng-ssr/core/adapter';
import { addHeaders } from './add-headers.ts';
import { isOfHttp2 } from './http2-requests.ts';
import { keepPrivate } from './keep-private.ts';
import { mergeVary } from './merge-vary.ts';
import { NodeExchange, type NodeRequest, type NodeResponse } from './node-exchange.ts';
import { http } from './node-http.ts';

/** Step 8, before all middleware: writes an answer with one `writeHead` of its prebuilt list, where nothing has set headers. */
export function writeAnswer(response: NodeResponse, answer: Answer): void {
  if (response.headersSent || response.writableEnded) return;
  if (!takesList(response)) return setAnswer(response, answer);
  // Both kinds of response take a flat list; only the types of one allow it.
  (response as ServerResponse).writeHead(answer.status, answer.headers as string[]);
  if (answer.body === null) response.end();
  else response.end(answer.body);
}

/** Step 8, after middleware: sets the headers, so that its listeners can read them, as loggers do when a response is finished. */
export function setAnswer(response: NodeResponse, answer: Answer): void {
  if (response.headersSent || response.writableEnded) return;
  const { status, headers, body } = answer;
  keepPart(response.req, answer);
  response.statusCode = status;
  setHeaders(response, headers);
  if (body === null) response.end();
  else response.end(body);
}

/** Whether a response takes all of its headers as one list: nothing has set any, and nothing will. */
function takesList(response: NodeResponse): boolean {
  const { req } = response;
  // Serverless platforms read the response's headers afterwards; their requests have no raw headers.
  const isServed = Boolean((req as Partial<typeof req> | undefined)?.rawHeaders?.length);
  return isServed && hasNodesWriteHead(response) && response.getHeaderNames().length === 0;
}

/** A writeHead that middleware has replaced may not take flat lists. */
function hasNodesWriteHead({ writeHead, req }: NodeResponse): boolean {
  if (writeHead === http.ServerResponse.prototype.writeHead) return true;
  if (!isOfHttp2(req)) return false;
  const { Http2ServerResponse } = process.getBuiltinModule('node:http2');
  return writeHead === Http2ServerResponse.prototype.writeHead;
}

/**
 * Sets an answer's headers on a response that may have some already: Set-Cookie lines are added,
 * Vary becomes the union, and an existing Cache-Control stays, since the middleware that set it may
 * know more than the page.
 *
 * @param isPersonal - Of an answer with data of one client: existing headers for caches are removed, and later ones are
 * not set.
 */
export function setHeaders(
  response: NodeResponse,
  answered: readonly string[],
  isPersonal = false,
): void {
  if (!isPersonal && addHeaders(response, answered)) return;
  const earlier = response.getHeader('cache-control')?.toString();
  const setsCookie = response.hasHeader('set-cookie');
  const headers = joinLines(
    isPersonal ? headersForOne(answered, earlier) : headersBeside(answered, earlier, setsCookie),
  );
  if (isPersonal) {
    for (const name of response.getHeaderNames()) {
      if (isForCaches(name)) response.removeHeader(name);
    }
  }
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    const value = headers[i + 1]!;
    if (name.length === 10 && name.toLowerCase() === 'set-cookie') {
      response.appendHeader(name, value);
    } else if (name.length === 4 && name.toLowerCase() === 'vary') {
      response.setHeader(name, mergeVary(response.getHeader(name), value));
    } else if (
      name.length !== 13 ||
      name.toLowerCase() !== 'cache-control' ||
      !response.hasHeader(name)
    ) {
      response.setHeader(name, value);
    }
  }
  if (isPersonal) keepPrivate(response);
}

/** As `setAnswer`, but never throws: an answer that cannot be written becomes a failure. */
export function sendAnswer(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
  answer: Answer,
): void {
  try {
    setAnswer(response, answer);
  } catch (cause) {
    answerFailure(handler, request, response, cause);
  }
}

/**
 * Reports a failure and answers with a 500. Closes the connection where an answer has begun or none
 * can be written. Never throws, even if members of the request or the response throw when they are read.
 *
 * @param cause - The error of a route, of middleware, or of writing an answer.
 */
export function answerFailure(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
  cause: unknown,
): void {
  const answer = handler.fail(exchangeOf(request, response), cause);
  try {
    if (!response.headersSent) {
      // The reason phrase belongs to the earlier status, and may be the part that could not be written.
      const hasReason = response instanceof http.ServerResponse && !isOfHttp2(request);
      if (hasReason) response.statusMessage = '';
      return writeAnswer(response, answer);
    }
  } catch {
    // Another answer would fail in the same way: close the connection instead.
  }
  closeUnfinished(request, response);
}

function exchangeOf(request: NodeRequest, response: NodeResponse): Exchange {
  try {
    return new NodeExchange(request, response);
  } catch {
    return UNREADABLE_REQUEST;
  }
}

/** Closes the connection of a response that is not complete. Never throws. */
export function closeUnfinished(request: NodeRequest, response: NodeResponse): void {
  try {
    if (!response.writableEnded) response.destroy();
  } catch {
    try {
      request.socket.destroy();
    } catch {
      // Neither can be used: the timeouts of the server end the connection.
    }
  }
}

/**
 * Keeps earlier compression middleware from encoding an answer: a part (206) counts unchanged bytes, and data of one client
 * must not be compressed with its page (BREACH), also by middleware that ignores `no-transform`.
 */
export function keepPart(
  request: NodeRequest,
  { status, isPersonal }: Pick<StreamedAnswer, 'status' | 'isPersonal'>,
): void {
  if (status === 206 || isPersonal === true) request.headers['accept-encoding'] = 'identity';
}
