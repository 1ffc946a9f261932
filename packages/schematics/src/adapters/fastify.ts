import { type Adapter, listeningServer } from '../adapter.ts';

export const fastify: Adapter = {
  name: 'fastify',
  packageName: '@ng-ssr/fastify',
  frameworks: {
    fastify: {
      title: 'Fastify',
      dependencies: { fastify: '^5.0.0' },
      devDependencies: {},
      serverFile: listeningServer(
        'createFastifySsrServer',
        `// Your routes: after built files and prerendered pages, before rendering.
server.app.get('/api/time', () => ({ now: Date.now() }));`,
      ),
    },
  },
};
