import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(serveHits, (options) => {
    const { app, reqHandler } = createKoaSsrServer({ ...options, serveHits });
    app.use((_context, next) => next());
    return reqHandler;
  });
}
