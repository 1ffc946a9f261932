import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const lane of ['pipeline', 'front'] as const) {
  defineFaultSuite(lane, (options) => createFastifySsrServer({ ...options, lane }).reqHandler);
}
