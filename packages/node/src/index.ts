export {
  createNodeSsrServer,
  type NodeSsrServer,
  type NodeSsrServerOptions,
} from './create-node-ssr-server.ts';
export { ssrMiddleware } from './ssr-middleware.ts';
export type { NodeMiddleware } from './ssr-pipeline.ts';
export type { Listening, ListenOptions } from './adapter/index.ts';
export * from '@ng-ssr/engines';
