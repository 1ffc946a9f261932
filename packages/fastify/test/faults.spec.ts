import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const hits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(hits, (options) => createFastifySsrServer({ ...options, hits }).reqHandler);
}
