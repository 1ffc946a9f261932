import { type Adapter, listeningServer } from '../adapter.ts';

export const koa: Adapter = {
  name: 'koa',
  packageName: '@ng-ssr/koa',
  frameworks: {
    koa: {
      title: 'Koa',
      dependencies: { '@koa/router': '^15.0.0', koa: '^3.0.0' },
      devDependencies: { '@types/koa': '^3.0.0' },
      serverFile: listeningServer(
        'createKoaSsrServer',
        `// Your routes: after built files and prerendered pages, before rendering.
server.router.get('/api/time', (ctx) => {
  ctx.body = { now: Date.now() };
});`,
      ),
    },
  },
};
