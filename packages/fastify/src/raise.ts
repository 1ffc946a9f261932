import { answerFailure, type SsrHandler } from '@ng-ssr/node/adapter';
import type { FastifyReply } from 'fastify';

/** What Fastify reads of node:http's response to answer with an error. */
const READ = [
  ...['statusCode', 'statusMessage', 'headersSent', 'writableEnded', 'destroyed', 'writable'],
  ...['getHeader', 'hasHeader', 'setHeader', 'removeHeader', 'writeHead', 'write', 'end', 'on'],
];

/**
 * Passes an error on to Fastify's error handler. If that could not read the response, it would throw in a promise that
 * nothing handles, and end the process: then the error is reported and answered here.
 *
 * @throws the cause, for Fastify.
 */
export function raise(handler: SsrHandler, reply: FastifyReply, cause: unknown): void {
  if (canAnswer(reply)) throw cause;
  reply.hijack();
  answerFailure(handler, reply.request.raw, reply.raw, cause);
}

function canAnswer({ raw }: FastifyReply): boolean {
  try {
    for (const name of READ) Reflect.get(raw, name);
    return true;
  } catch {
    return false;
  }
}
