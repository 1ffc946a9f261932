import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { hitWorkOfListener } from '../../core/test/path/hit-work-of-listener.ts';

test.each(['after-middleware', 'before-middleware'] as const)(
  'a hit %s runs no regular expression, promise, URL, Request, fs, hash or encoding',
  async (serveHits) => {
    const ssr = createExpressSsrServer({
      engine: () => null,
      allowedHosts: ['127.0.0.1'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(60_000)) }) },
      serveHits,
    });
    ssr.app.use((_request, _response, next) => next());
    await ssr.ready();
    expect(await hitWorkOfListener(ssr.reqHandler, '/?utm_source=x')).toEqual({});
  },
);
