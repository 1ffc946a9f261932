/** The server without the engines: for programs that the Angular CLI does not bundle. */
export {
  createFastifySsrServer,
  type FastifySsrServer,
  type FastifySsrServerOptions,
} from './create-fastify-ssr-server.ts';
export { type FastifySsrOptions, ssrPlugin, type SsrPluginOptions } from './ssr-plugin.ts';
export type { StoredPages } from '@ng-ssr/core';
export type { Listening, ListenOptions, ShutdownOptions } from '@ng-ssr/node/adapter';
