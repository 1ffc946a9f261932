import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(
    serveHits,
    (options) => createExpressSsrServer({ ...options, serveHits }).reqHandler,
    ['/large.txt'],
  );
}
