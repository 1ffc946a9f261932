import fastifyStatic from '@fastify/static';
import type { LargeFile } from '@ng-ssr/core';
import { NodeExchange, type SsrHandler } from '@ng-ssr/node/adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { sendAnswer, setReplyFields } from './send-answer.ts';

/** Makes what components inject as `REQUEST_CONTEXT`. */
export type ToRequestContext = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * The pages as one route for GET and HEAD, behind every route that is more specific. Held pages are
 * found by their path below the instance's prefix; the engine sees the whole URL.
 *
 * @param app - A scope of its own: @fastify/static decorates its replies.
 */
export async function addPageRoutes(
  app: FastifyInstance,
  handler: SsrHandler,
  requestContext: ToRequestContext,
): Promise<void> {
  const { browserFolder, hasLargeFiles } = handler;
  if (hasLargeFiles && browserFolder !== undefined) {
    await app.register(fastifyStatic, { root: browserFolder, serve: false, cacheControl: false });
  }
  const prefix = app.prefix.replace(/\/$/, '');

  const render = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const exchange = new NodeExchange(request.raw, reply.raw);
    const answer = await handler.render(exchange, requestContext(request, reply));
    if (answer === undefined) reply.callNotFound();
    else sendAnswer(reply, answer);
    return reply;
  };
  const answer = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const target = targetBelow(prefix, request.raw.url!);
    const exchange = new NodeExchange(request.raw, reply.raw, target);
    const ready = handler.answer(exchange) ?? handler.largeFile(exchange);
    if (ready === undefined) return render(request, reply);
    if ('status' in ready) sendAnswer(reply, ready);
    else sendLargeFile(request, reply, ready);
    return undefined;
  };

  // Pages are no part of an API's description.
  const schema: FastifySchema & { hide: boolean } = { hide: true };
  for (const url of prefix === '' ? ['/*'] : ['/*', '']) {
    app.route({ method: ['GET', 'HEAD'], url, schema, handler: answer });
  }
}

/** A target that is spelt in another way than the prefix names nothing that is held. */
function targetBelow(prefix: string, target: string): string {
  if (prefix === '' || !target.startsWith(prefix)) return target;
  const below = target.slice(prefix.length);
  return below.startsWith('/') ? below : `/${below}`;
}

function sendLargeFile(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { path, headers, range }: LargeFile,
): void {
  setReplyFields(reply, headers);
  // As the core has read it: @fastify/static goes by rules of its own for If-Range and lists.
  if (range === undefined) {
    delete raw.headers.range;
  } else {
    raw.headers.range = `bytes=${range.first}-${range.last}`;
    // A part is of the bytes as they are: no compression must code it.
    raw.headers['accept-encoding'] = 'identity';
  }
  reply.sendFile(path);
}
