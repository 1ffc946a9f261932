import { expect, it } from 'vitest';
import { assertHostPattern, toHostPredicate } from '../../src/host/allowed-hosts.ts';
import { parseAuthority } from '../../src/host/authority.ts';

it.each([
  ['shop.example', 'shop.example', true],
  ['Shop.Example', 'SHOP.example:8080', true],
  ['shop.example', 'www.shop.example', false],
  ['shop.example', 'shop.example.', false],
  ['shop.example', 'shop.example.evil', false],
  ['shop.example', 'shopxexample', false],
  ['*.shop.example', 'a.shop.example', true],
  ['*.SHOP.example', 'A.b.shop.example', true],
  ['*.shop.example', 'shop.example', false],
  ['*.shop.example', 'evilshop.example', false],
  ['*.shop.example', '.shop.example', true],
  ['127.0.0.1', '127.0.0.1:80', true],
  ['[::1]', '[::1]:80', true],
  // One address, whatever spells it.
  ['[::1]', '[0:0:0:0:0:0:0:1]', true],
  ['[0:0:0:0:0:0:0:1]', '[::1]', true],
  ['[2001:DB8::07]', '[2001:db8::7]', true],
  ['[::1]', '[::2]', false],
  ['*', 'any.example', true],
])('%s allows %s: %s', (pattern, host, expected) => {
  assertHostPattern(pattern, 'allowedHosts');
  expect(toHostPredicate([pattern])(parseAuthority(host)!.hostname)).toBe(expected);
});

it('nothing is allowed without a pattern', () => {
  expect(toHostPredicate([])('localhost')).toBe(false);
});

it.each([
  ...['', ' ', 'shop.example:80', 'http://shop.example', 'shop.example/', 'a@b', '**', '*.', '*a'],
  ...['*.*.example', 'a.*.example', '*.shop.example:80', '::1', '[::1', 'm\u00fcnchen.de', 'a b'],
  ...[undefined, null, 1, /shop/, ['shop.example']],
])('%s is no pattern', (pattern) => {
  expect(() => assertHostPattern(pattern, 'allowedHosts')).toThrow('allowedHosts has the entry');
});
