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
        `// Your routes: add features: [withRouter()] above, and then server.router.get('/api/time', ...).`,
      ),
    },
  },
};
