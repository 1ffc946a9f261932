import { Readable } from 'node:stream';
import { type Answer, type FileAnswer, headersBeside } from '@ng-ssr/core/adapter';
import {
  answerFailure,
  FileStream,
  keepPart,
  mergeVary,
  type SsrHandler,
} from '@ng-ssr/node/adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Passes an answer to Fastify, whose onSend hooks may still change it. Headers that hooks have set
 * are kept or merged, as with `setHeaders` of `@ng-ssr/node/adapter`. Never throws.
 */
export function sendAnswer(handler: SsrHandler, reply: FastifyReply, answer: Answer): void {
  try {
    if (!reply.sent) send(reply, answer);
  } catch (cause) {
    // Fastify's own error answer could fail in the same way.
    reply.hijack();
    answerFailure(handler, reply.request.raw, reply.raw, cause);
  }
}

function send(reply: FastifyReply, { status, headers, body }: Answer): void {
  setReplyHeaders(reply, headers);
  reply.code(status);
  if (body === null || body.byteLength === 0) reply.send();
  else if (reply.hasHeader('Content-Type')) reply.send(body);
  // Fastify adds a Content-Type to bytes without one, but not to a stream.
  else reply.send(Readable.from([body]));
}

/** As {@link sendAnswer}, for the result of `SsrHandler.largeFile`; it may throw. */
export function sendFile(
  handler: SsrHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | FileAnswer,
): void {
  if (!('file' in answer)) return sendAnswer(handler, reply, answer);
  if (reply.sent) return;
  setReplyHeaders(reply, answer.headers);
  keepPart(request.raw, answer);
  reply.code(answer.status).send(new FileStream(answer.file));
}

/** Sets an answer's headers; `reply.header` itself appends Set-Cookie lines. */
export function setReplyHeaders(reply: FastifyReply, answered: readonly string[]): void {
  const earlier = reply.getHeader('cache-control');
  const headers = headersBeside(answered, earlier?.toString(), reply.hasHeader('set-cookie'));
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
}
