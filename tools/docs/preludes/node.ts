import { appEngine, createNodeSsrServer } from '@ng-ssr/node';

export { appEngine, createNodeSsrServer, platformHosts } from '@ng-ssr/node';

export const server = createNodeSsrServer({ engine: appEngine() });
