import { type Adapter, listeningServer } from '../adapter.ts';

export const node: Adapter = {
  name: 'node',
  packageName: '@ng-ssr/node',
  frameworks: {
    node: {
      title: 'node:http',
      dependencies: {},
      devDependencies: {},
      serverFile: listeningServer(
        'createNodeSsrServer',
        `server.router.get('/api/time', (_req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ now: Date.now() }));
});`,
      ),
    },
  },
};
