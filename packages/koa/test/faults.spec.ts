import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const hits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(hits, (options) => createKoaSsrServer({ ...options, hits }).reqHandler);
}
