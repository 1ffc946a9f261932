import { check, copyOptions, optional, text } from '@ng-ssr/core/adapter';
import {
  NodeExchange,
  type AdapterOptions,
  splitOptions,
  SsrHandler,
  watchAnswer,
} from '@ng-ssr/node/adapter';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RegisterOptions,
} from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { addPageRoutes } from './page-routes.ts';
import { raise } from './raise.ts';
import { sendAnswer } from './send-answer.ts';

/** Options of both Fastify's server and the plugin. */
export type FastifySsrOptions = AdapterOptions<[FastifyRequest, FastifyReply]>;

/** Options of {@link ssrPlugin}, beside Fastify's `prefix`, `logLevel` and `logSerializers`. */
export interface SsrPluginOptions extends Omit<FastifySsrOptions, 'serveHits'> {
  /**
   * Name of a decorator that purges and lists cached pages. Several plugins of one app need different names. Default:
   * none.
   */
  readonly decorator?: string | undefined;
}

/**
 * A plugin with the pages, for an existing app: a route `/*` for GET and HEAD below the plugin's prefix, in its own
 * scope. Hooks of the app run before it, and more specific routes win. Paths that the application does not have go to
 * the not-found handler of the app.
 *
 * @throws SsrError when the app loads its plugins: `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`,
 * `NG_SSR_BROWSER_FOLDER_MISSING`, `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * declare module 'fastify' {
 *   interface FastifyInstance {
 *     pages: StoredPages;
 *   }
 * }
 * await app.register(ssrPlugin, {
 *   engine: appEngine(),
 *   allowedHosts: ['shop.example'],
 *   decorator: 'pages',
 * });
 * app.post('/products', () => app.pages.purge({ tag: 'products' }));
 * ```
 */
export const ssrPlugin: FastifyPluginAsync<SsrPluginOptions> = fastifyPlugin(
  async (app: FastifyInstance, options: SsrPluginOptions & RegisterOptions) => {
    const {
      prefix: _prefix,
      logLevel: _level,
      logSerializers: _serializers,
      ...own
    } = copyOptions(options);
    const { ssr, routes, requestContext, decorator } = splitOptions<
      [FastifyRequest, FastifyReply],
      { decorator: string | undefined }
    >(own, { decorator: optional(text(/./s, 'the name of a property')) });
    const handler = new SsrHandler(ssr);
    handler.threads?.refuse();
    handler.useListener(routes ?? ((request, response) => app.routing(request, response)));
    if (decorator !== undefined) app.decorate(decorator, handler.cache);

    app.addHook('onRequest', (request, reply, done) => {
      watchAnswer(handler, request.raw, reply.raw);
      done();
    });
    const addPages = async (scope: FastifyInstance): Promise<void> => {
      scope.addHook('preClose', async () => handler.drain());
      scope.addHook('onClose', async () => handler.close());
      await addPageRoutes(scope, handler, requestContext);
      addEndpointRoutes(scope, handler);
    };
    await app.register(addPages, options);
  },
  { name: '@ng-ssr/fastify', fastify: '5.x' },
);

/**
 * Adds routes for the endpoints of features, which take more than GET.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` for a path outside the plugin's prefix.
 */
function addEndpointRoutes(scope: FastifyInstance, handler: SsrHandler): void {
  const { endpointRoutes } = handler;
  if (endpointRoutes.length === 0) return;
  // The core reads the content itself, whatever its type.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const { option, path, hasPathsBelow } of endpointRoutes) {
    const url = pathBelow(scope, option, path);
    addPostRoute(scope, handler, url);
    if (hasPathsBelow === true) addPostRoute(scope, handler, `${url}/*`);
  }
}

function pathBelow(scope: FastifyInstance, name: string, path: string): string {
  const prefix = scope.prefix.replace(/\/$/, '');
  const isBelow = path.startsWith(`${prefix}/`);
  check(name, path, isBelow, `a path below the plugin's prefix "${prefix}"`);
  return path.slice(prefix.length);
}

function addPostRoute(scope: FastifyInstance, handler: SsrHandler, url: string): void {
  scope.route({
    method: 'POST',
    url,
    schema: { hide: true } as object,
    async handler(request, reply) {
      try {
        const answer = await handler.render(new NodeExchange(request.raw, reply.raw));
        if (answer === undefined) reply.callNotFound();
        else sendAnswer(handler, reply, answer);
      } catch (cause) {
        raise(handler, reply, cause);
      }
      return reply;
    },
  });
}
