import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(
    serveHits,
    (options) => createFastifySsrServer({ ...options, serveHits }).reqHandler,
  );
}
