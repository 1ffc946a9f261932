import { type NodeSsrOptions, splitOptions, SsrHandler } from '@ng-ssr/node/adapter';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RegisterOptions,
} from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { addPageRoutes } from './page-routes.ts';

/** Options that every Fastify adapter of ours takes. */
export type FastifySsrOptions = NodeSsrOptions<[FastifyRequest, FastifyReply]>;

/** Options of {@link ssrPlugin}, beside Fastify's `prefix`, `logLevel` and `logSerializers`. */
export type SsrPluginOptions = Omit<FastifySsrOptions, 'lane'>;

/**
 * The pages alone, for an app that is there already: a route `/*` for GET and HEAD below the
 * plugin's prefix. It is a scope of its own; hooks of the app run before it, more specific routes
 * win over it, and paths that are nobody's go to the app's not-found handler.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`, when
 * the app gets ready
 * @example
 * ```ts
 * await app.register(ssrPlugin, { engine: appEngine(), allowedHosts: ['shop.example'] });
 * ```
 */
export const ssrPlugin: FastifyPluginAsync<SsrPluginOptions> = fastifyPlugin(
  async (app: FastifyInstance, options: SsrPluginOptions & RegisterOptions) => {
    const { prefix: _prefix, logLevel: _level, logSerializers: _serializers, ...own } = options;
    const { ssr, requestContext } = splitOptions<[FastifyRequest, FastifyReply]>(own);
    const handler = new SsrHandler(ssr);
    app.addHook('onClose', async () => handler.close());
    await addPageRoutes(app, handler, requestContext);
  },
  { name: '@ng-ssr/fastify', fastify: '5.x', encapsulate: true },
);
