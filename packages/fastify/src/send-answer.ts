import { Readable } from 'node:stream';
import {
  type Answer,
  headersBeside,
  joinLines,
  headersForOne,
  isForCaches,
  type StreamedAnswer,
} from '@ng-ssr/core/adapter';
import {
  answerFailure,
  closeWith,
  ContentStream,
  isKept,
  keepPart,
  keepPrivate,
  keptValue,
  mergeVary,
  type SsrHandler,
} from '@ng-ssr/node/adapter';
import type { FastifyReply } from 'fastify';

/**
 * Passes an answer to Fastify, whose onSend hooks may still change it. Headers that hooks have set
 * are kept or merged, as with `setHeaders` of `@ng-ssr/node/adapter`. Never throws.
 */
export function sendAnswer(
  handler: SsrHandler,
  reply: FastifyReply,
  answer: Answer | StreamedAnswer,
): void {
  try {
    if ('content' in answer) sendStreamed(reply, answer);
    else if (!reply.sent) send(reply, answer);
  } catch (cause) {
    // Fastify's own error answer could fail in the same way.
    reply.hijack();
    answerFailure(handler, reply.request.raw, reply.raw, cause);
  }
}

function send(reply: FastifyReply, answer: Answer): void {
  const { status, headers, body } = answer;
  keepPart(reply.request.raw, answer);
  setReplyHeaders(reply, headers);
  reply.code(status);
  if (body === null || body.byteLength === 0) reply.send();
  else if (reply.hasHeader('Content-Type')) reply.send(body);
  // Fastify adds a Content-Type to bytes without one, but not to a stream.
  else reply.send(Readable.from([body]));
}

function sendStreamed(reply: FastifyReply, answer: StreamedAnswer): void {
  if (reply.sent) return void answer.content.close();
  closeWith(reply.raw, answer.content);
  setReplyHeaders(reply, answer.headers, answer.isPersonal);
  keepPart(reply.request.raw, answer);
  const { pieces } = answer.content;
  const body = pieces === undefined ? new ContentStream(answer.content) : Buffer.concat(pieces);
  reply.code(answer.status).send(body);
}

/**
 * Sets an answer's headers; `reply.header` itself appends Set-Cookie lines.
 *
 * @param isPersonal - Of an answer with data of one client: existing headers for caches are removed.
 */
export function setReplyHeaders(
  reply: FastifyReply,
  answered: readonly string[],
  isPersonal = false,
): void {
  const earlier = reply.getHeader('cache-control')?.toString();
  const headers = joinLines(
    isPersonal
      ? headersForOne(answered, earlier)
      : headersBeside(answered, earlier, reply.hasHeader('set-cookie')),
  );
  if (isPersonal) removeForCaches(reply);
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    const value = headers[i + 1]!;
    if (name.length === 4 && name.toLowerCase() === 'vary') {
      reply.header(name, mergeVary(reply.getHeader(name), value));
    } else if (
      name.length !== 13 ||
      name.toLowerCase() !== 'cache-control' ||
      !reply.hasHeader(name)
    ) {
      reply.header(name, value);
    }
  }
  if (isPersonal) keepReplyPrivate(reply);
}

/** As `keepPrivate` of `@ng-ssr/node/adapter`, for what onSend hooks set. */
function keepReplyPrivate(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (isKept(name) && value !== undefined) reply.raw.setHeader(name, value);
  }
  keepPrivate(reply.raw);
  const { header, removeHeader } = reply;
  const set = (name: string, value: unknown): FastifyReply => {
    if (!isKept(name)) return Reflect.apply(header, reply, [name, value]);
    const kept = keptValue(name, reply.getHeader(name), value as string | undefined);
    return kept === undefined ? reply : Reflect.apply(header, reply, [name, kept]);
  };
  reply.header = set as FastifyReply['header'];
  reply.removeHeader = (name) =>
    isKept(name) ? set(name, undefined) : Reflect.apply(removeHeader, reply, [name]);
}

/** Hooks set headers on the reply, and middleware for node:http on the raw response. */
function removeForCaches(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!isForCaches(name)) continue;
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}
