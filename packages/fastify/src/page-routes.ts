import type { Answer, StreamedAnswer } from '@ng-ssr/core/adapter';
import { keepParsed, NodeExchange, type SsrHandler, takeParsed } from '@ng-ssr/node/adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { raise } from './raise.ts';
import { sendAnswer } from './send-answer.ts';

/** Returns the value that components inject as `REQUEST_CONTEXT`. */
export type ToRequestContext = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Adds the pages as one route for GET and HEAD; more specific routes win. Built files are found by
 * their path below the instance's prefix; the engine sees the whole URL.
 *
 * @param isLookedUp - Whether a hook has looked up the requests before.
 */
export async function addPageRoutes(
  app: FastifyInstance,
  handler: SsrHandler,
  requestContext: ToRequestContext,
  isLookedUp = false,
): Promise<void> {
  const prefix = app.prefix.replace(/\/$/, '');

  const render = async (
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: NodeExchange,
  ): Promise<FastifyReply> => {
    try {
      const answer = await handler.complete(exchange, requestContext(request, reply));
      if (answer === undefined) {
        keepParsed(exchange);
        reply.callNotFound();
      } else sendAnswer(handler, reply, answer);
    } catch (cause) {
      raise(handler, reply, cause);
    }
    return reply;
  };
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    file: Promise<Answer | StreamedAnswer>,
  ): Promise<FastifyReply> => {
    try {
      sendAnswer(handler, reply, await file);
    } catch (cause) {
      raise(handler, reply, cause);
    }
    return reply;
  };
  const answer = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const target = request.raw.url!;
    const below = targetBelow(prefix, target);
    const exchange = new NodeExchange(request.raw, reply.raw, target, below);
    const held = handler.answer(isLookedUp ? takeParsed(exchange) : exchange);
    if (held !== undefined) return sendAnswer(handler, reply, held);
    const file = handler.largeFile(exchange);
    return file === undefined ? render(request, reply, exchange) : send(request, reply, file);
  };

  // Hides pages from API descriptions.
  const schema: FastifySchema & { hide: boolean } = { hide: true };
  for (const url of prefix === '' ? ['/*'] : ['/*', '']) {
    app.route({ method: ['GET', 'HEAD'], url, schema, handler: answer });
  }
}

/** The target below the prefix. A target that does not begin with it is no held file's: kept as it is. */
function targetBelow(prefix: string, target: string): string {
  if (prefix === '' || !target.startsWith(prefix)) return target;
  const below = target.slice(prefix.length);
  return below.startsWith('/') ? below : `/${below}`;
}
