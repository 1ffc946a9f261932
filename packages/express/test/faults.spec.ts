import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const hits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(hits, (options) => createExpressSsrServer({ ...options, hits }).reqHandler, [
    '/large.txt',
  ]);
}
