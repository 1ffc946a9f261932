import { evaluatePreconditions } from '@ng-ssr/core/adapter';
import { entityTag, type EntityTagOptions } from '@ng-ssr/etag';
import { NodeExchange } from '@ng-ssr/node/adapter';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/**
 * A plugin that replaces @fastify/etag, for your own routes: strings and Buffers that are sent
 * with status 200 for GET or HEAD get the native tag of their bytes, unless they have one or are
 * `no-store`, and If-None-Match gets a 304. Streams get none.
 *
 * @param options `weak: true` for weak tags; checked when the plugin is loaded
 * @throws TypeError `ERR_ETAG_OPTIONS` if `weak` is not a boolean
 * @example
 * ```ts
 * server.app.register(etag);
 * ```
 */
export const etag: FastifyPluginAsync<EntityTagOptions> = fastifyPlugin(
  async (app: FastifyInstance, { weak = false }: EntityTagOptions) => {
    entityTag('', { weak });
    app.addHook('onSend', (request, reply, payload, done) => {
      const { method } = request;
      const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload);
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isBytes || !isRead || reply.statusCode !== 200 || reply.hasHeader('etag')) return done();
      if (String(reply.getHeader('cache-control')).includes('no-store')) return done();
      const tag = entityTag(payload, { weak });
      reply.header('etag', tag);
      const validators = { etag: tag, lastModifiedMs: undefined };
      const exchange = new NodeExchange(request.raw, reply.raw);
      if (evaluatePreconditions(validators, exchange) !== 'not-modified') return done();
      reply.code(304).removeHeader('content-type').removeHeader('content-length');
      done(null, null);
    });
  },
  { name: '@ng-ssr/fastify/etag', fastify: '5.x' },
);
