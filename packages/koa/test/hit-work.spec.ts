import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { hitWorkOfListener } from '../../core/test/path/hit-work-of-listener.ts';

test('a hit after middleware adds nothing to the promises of Koa itself', async () => {
  const ssr = createKoaSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(60_000)) }) },
  });
  ssr.app.use((_context, next) => next());
  await ssr.ready();
  // Koa's own then and catch around the middleware.
  expect(await hitWorkOfListener(ssr.reqHandler)).toEqual({ 'Promise.then': 2 });
});
