/** The server without the engines: for programs that the Angular CLI does not bundle. */
export {
  createFastifySsrServer,
  type FastifySsrServer,
  type FastifySsrServerOptions,
} from './create-fastify-ssr-server.ts';
export { type FastifySsrOptions, ssrPlugin, type SsrPluginOptions } from './ssr-plugin.ts';
export type {
  Drainable,
  Hits,
  Listening,
  ListenOptions,
  AdapterOptions,
  ShutdownOptions,
  SsrServer,
} from '@ng-ssr/node/adapter';
export { withCalls, withSlots } from '@ng-ssr/node/adapter';
export * from '@ng-ssr/core';
