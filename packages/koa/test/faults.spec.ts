import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const lane of ['pipeline', 'front'] as const) {
  defineFaultSuite(lane, (options) => createKoaSsrServer({ ...options, lane }).reqHandler);
}
