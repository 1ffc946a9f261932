import { expect, test } from 'vitest';
import { SsrError, type SsrOptions, withEdge, withPublicConfig } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

const engine = (): null => null;
const WRONG: readonly [Record<string, unknown>, string][] = [
  [
    { engine: 'app' },
    'engine is "app" (string); allowed: appEngine(), commonEngine(), or a function',
  ],
  [
    { allowedHosts: 'shop.example' },
    'allowedHosts is "shop.example" (string); allowed: a list of host names, as in ["shop.example"], or a function',
  ],
  [{ allowedHosts: ['shop.example:'] }, 'allowedHosts has the entry "shop.example:"'],
  [{ allowedHosts: ['https://a.example'] }, 'allowedHosts has the entry "https://a.example"'],
  [{ trustProxyHeaders: ['x-real-ip'] }, 'trustProxyHeaders has the entry "x-real-ip"'],
  [{ files: { maxFileBytes: -1 } }, 'files.maxFileBytes is -1 (number)'],
  [{ files: { maxBytes: 1.5 } }, 'files.maxBytes is 1.5 (number)'],
  [{ files: { encodings: ['deflate'] } }, 'files.encodings is "deflate"'],
  [{ files: { folder: 7 } }, 'files.folder is 7 (number)'],
  [{ files: { cacheControl: 'no-store' } }, 'files.cacheControl is "no-store"'],
  [{ files: 'dist/browser' }, 'files is "dist/browser" (string)'],
  [{ cache: { encodings: 'br' } }, 'cache.encodings is "br"'],
  [{ features: [withEdge('varnish' as never)] }, 'withEdge is "varnish"'],
  [{ features: [withPublicConfig(1 as never)] }, 'withPublicConfig is 1; allowed: an object'],
  [{ errorDetails: 1 }, 'errorDetails is 1 (number)'],
  [{ onError: true }, 'onError is true (boolean)'],
];

test.each(WRONG)('%j is refused: %s', (options, message) => {
  const create = (): unknown => new SsrHandler({ engine, ...options } as unknown as SsrOptions);
  expect(create).toThrow(SsrError);
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
});

test('NG_ALLOWED_HOSTS is checked as the option is', () => {
  process.env['NG_ALLOWED_HOSTS'] = 'shop.example, a/b';
  try {
    expect(() => new SsrHandler({ engine })).toThrow('NG_ALLOWED_HOSTS has the entry "a/b"');
  } finally {
    delete process.env['NG_ALLOWED_HOSTS'];
  }
});
