import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { defineFaultSuite } from '../../node/test/define-fault-suite.ts';

for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
  defineFaultSuite(serveHits, (options) => {
    const { app, reqHandler } = createFastifySsrServer({ ...options, serveHits });
    app.addHook('onRequest', (_request, _reply, done) => done());
    return reqHandler;
  });
}
