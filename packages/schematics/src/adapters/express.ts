import { type Adapter, listeningServer } from '../adapter.ts';

export const express: Adapter = {
  name: 'express',
  packageName: '@ng-ssr/express',
  frameworks: {
    express: {
      title: 'Express',
      dependencies: { express: '^5.1.0' },
      devDependencies: { '@types/express': '^5.0.1' },
      serverFile: listeningServer(
        'createExpressSsrServer',
        `// Your routes: after built files and prerendered pages, before rendering.
server.router.get('/api/time', (_req, res) => {
  res.json({ now: Date.now() });
});`,
      ),
    },
  },
};
