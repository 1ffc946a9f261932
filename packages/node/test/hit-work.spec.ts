import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { hitWorkOfListener } from '../../core/test/path/hit-work-of-listener.ts';

test.each(['after-middleware', 'before-middleware'] as const)(
  'a hit %s runs no regular expression, promise, URL, Request, fs, hash or encoding',
  async (serveHits) => {
    const ssr = createNodeSsrServer({
      engine: () => null,
      allowedHosts: ['127.0.0.1'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(60_000)) }) },
      serveHits,
    });
    await ssr.ready();
    expect(await hitWorkOfListener(ssr.reqHandler, '/?utm_source=x')).toEqual({});
  },
);

test('a hit whose when is false makes no promise, URL or Request', async () => {
  let asked = 0;
  const ssr = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(60_000)) }) },
    features: [
      withSlots({
        cart: {
          when: ({ headers, method }) => {
            asked++;
            return headers.get('cookie') !== null || headers.has('x-user') || method !== 'GET';
          },
          fill: () => 1,
        },
      }),
    ],
  });
  await ssr.ready();
  const work = await hitWorkOfListener(ssr.reqHandler, '/');
  // It asks for two names.
  expect(work).toEqual({ 'RegExp.test': 2, 'RegExp.exec': 2 });
  expect(asked).toBe(3);
});
