import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { hitWorkOfListener } from '../../core/test/hit-work-of-listener.ts';

test.each(['pipeline', 'front'] as const)(
  'a hit in the %s lane runs no regular expression, promise, URL, Request, fs, hash or coding',
  async (lane) => {
    const ssr = createExpressSsrServer({
      engine: () => null,
      allowedHosts: ['127.0.0.1'],
      browserFolder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(60_000)) }),
      lane,
    });
    await ssr.ready();
    expect(await hitWorkOfListener(ssr.reqHandler, '/?utm_source=x')).toEqual({});
  },
);
