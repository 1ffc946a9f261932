import type { Exchange } from '@ng-ssr/core/adapter';
import { expect, test } from 'vitest';
import { toRequest } from '../../src/render/to-request.ts';

const LINES: readonly (readonly [string, string])[] = [
  ['Host', 'SHOP.example:443'],
  ['Cookie', 'session=ann'],
  ['X-Many', 'a'],
  ['x-many', 'b'],
  ['Range', 'bytes=0-9'],
  ['X-Forwarded-Host', 'evil.example'],
  ['Accept-Language', 'de'],
];
const exchange = { headers: () => LINES } as unknown as Exchange;
const URL_OF_PAGE = 'https://shop.example:443/a?b=1';

test('a request has all lines of its headers, the host of its URL, and nothing withheld', () => {
  const request = toRequest(exchange, URL_OF_PAGE, () => false);
  expect([request.method, request.url]).toEqual(['GET', 'https://shop.example/a?b=1']);
  expect(Object.fromEntries(request.headers)).toEqual({
    ...{ 'accept-language': 'de', cookie: 'session=ann', host: 'shop.example', 'x-many': 'a, b' },
  });
  const other = toRequest(exchange, URL_OF_PAGE, () => true, 'en');
  expect(other.headers.get('accept-language')).toBe('en');
  expect(other.headers.get('x-forwarded-host')).toBe('evil.example');
});

test('a runtime takes it for its own, and changing it changes no other', () => {
  const request = toRequest(exchange, URL_OF_PAGE, () => false);
  request.headers.set('cookie', 'session=bob');
  expect(new Request(request).headers.get('cookie')).toBe('session=bob');
  const again = toRequest(exchange, URL_OF_PAGE, () => false);
  expect(again.clone().headers.get('cookie')).toBe('session=ann');
});
