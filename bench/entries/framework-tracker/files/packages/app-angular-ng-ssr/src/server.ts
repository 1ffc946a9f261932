import { appEngine, createNodeSsrServer } from '@ng-ssr/node';

const server = createNodeSsrServer({
  engine: appEngine(),
  allowedHosts: ['localhost', '127.0.0.1'],
  // The benchmark is about renders: each request has its own.
  cache: false,
});

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) {
  void server.listen({
    host: process.env['HOST'] ?? '127.0.0.1',
    port: Number(process.env['PORT'] ?? 3000),
  });
}
