import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(
    serveHits,
    (options) => {
      const { app, reqHandler } = createExpressSsrServer({ ...options, serveHits });
      app.use((_request, _response, next) => next());
      return reqHandler;
    },
    ['/large.txt', '/late'],
  );
}
