import { type Adapter, listeningServer } from '../adapter.ts';
import { createSchematics } from '../create-schematics.ts';

const fastify: Adapter = {
  name: 'fastify',
  packageName: '@ng-ssr/fastify',
  frameworks: {
    fastify: {
      title: 'Fastify',
      dependencies: { fastify: '^5.0.0' },
      devDependencies: {},
      serverFile: listeningServer(
        'createFastifySsrServer',
        `server.app.get('/api/time', () => ({ now: Date.now() }));`,
      ),
    },
  },
};

export const { ngAdd, server } = createSchematics(fastify);
