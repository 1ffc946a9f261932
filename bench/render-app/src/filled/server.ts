import { appEngine, createNodeSsrServer, withRenderThreads, withSharedStore } from '@ng-ssr/node';
import { redisPageStore } from '@ng-ssr/redis';

const threads = Number(process.env['RENDER_THREADS'] ?? 0);

const server = createNodeSsrServer({
  engine: appEngine(),
  allowedHosts: ['localhost'],
  routeRules: { '/**': { sMaxAge: 86_400 } },
  features: [withSharedStore(redisPageStore()), withRenderThreads({ threads })],
});

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) void server.listen();
