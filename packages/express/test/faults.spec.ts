import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const lane of ['pipeline', 'front'] as const) {
  defineFaultSuite(lane, (options) => createExpressSsrServer({ ...options, lane }).reqHandler, [
    '/large.txt',
  ]);
}
