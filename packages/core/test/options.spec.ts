import { expect, test } from 'vitest';
import { SsrError, SsrHandler, type SsrOptions } from '@ng-ssr/core';

const engine = (): null => null;
const wrong: readonly [string, Record<string, unknown>, string][] = [
  ['engine', { engine: 'app' }, 'engine is "app" (string): allowed is a function'],
  ['allowedHosts', { engine, allowedHosts: 'shop.example' }, 'allowedHosts is "shop.example"'],
  [
    'allowedHosts with a port',
    { engine, allowedHosts: ['shop.example:80'] },
    'allowedHosts has the entry "shop.example:80"',
  ],
  [
    'allowedHosts with a scheme',
    { engine, allowedHosts: ['https://shop.example'] },
    'allowedHosts has the entry "https://shop.example"',
  ],
  [
    'trustProxyHeaders',
    { engine, trustProxyHeaders: ['x-real-ip'] },
    'trustProxyHeaders names "x-real-ip"',
  ],
  ['maxFileBytes', { engine, maxFileBytes: -1 }, 'maxFileBytes is -1 (number)'],
  ['maxHeldBytes', { engine, maxHeldBytes: 1.5 }, 'maxHeldBytes is 1.5 (number)'],
  ['codings', { engine, codings: ['deflate'] }, 'codings is "deflate"'],
  ['browserFolder', { engine, browserFolder: 7 }, 'browserFolder is 7 (number)'],
  ['cacheControl', { engine, cacheControl: 'no-store' }, 'cacheControl is "no-store"'],
  ['errorDetails', { engine, errorDetails: 1 }, 'errorDetails is 1 (number)'],
  ['onError', { engine, onError: true }, 'onError is true (boolean)'],
];

test.each(wrong)('%s: a wrong value is refused by name', (_name, options, message) => {
  const create = (): unknown => new SsrHandler(options as unknown as SsrOptions);
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
