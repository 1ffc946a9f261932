import { expect, it } from 'vitest';
import { assertHostPattern, toAllowedHosts, withoutPorts } from '../../src/host/allowed-hosts.ts';
import { parseAuthority } from '../../src/host/authority.ts';

it.each([
  ['shop.example', 'shop.example', true],
  ['Shop.Example', 'SHOP.example:8080', true],
  ['shop.example', 'www.shop.example', false],
  ['shop.example', 'shop.example.', false],
  ['shop.example', 'shop.example.evil', false],
  ['shop.example', 'shopxexample', false],
  ['shop.example.', 'shop.example', true],
  ['*.shop.example.', 'a.shop.example', true],
  ['*.shop.example', 'a.shop.example', true],
  ['*.SHOP.example', 'A.b.shop.example', true],
  ['*.shop.example', 'shop.example', false],
  ['*.shop.example', 'evilshop.example', false],
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
  expect(toAllowedHosts([pattern]).hasName(parseAuthority(host)!.hostname)).toBe(expected);
});

it.each([
  ['shop.example:8443', 'shop.example:8443', true],
  ['Shop.Example:08443', 'SHOP.example:8443', true],
  ['shop.example:8443', 'shop.example:8444', false],
  ['shop.example:8443', 'a.shop.example:8443', false],
  ['*.shop.example:8443', 'a.shop.example:8443', true],
  ['*.shop.example:8443', 'a.shop.example:80', false],
  ['*.shop.example:8443', 'shop.example:8443', false],
  ['[0:0::1]:4000', '[::1]:4000', true],
  ['[::1]:4000', '[::1]:4001', false],
  ['*', 'any.example:1', true],
])('%s allows %s at its port: %s', (pattern, host, expected) => {
  assertHostPattern(pattern, 'allowedHosts');
  const { hostname, port } = parseAuthority(host)!;
  const allowed = toAllowedHosts([pattern]);
  expect(allowed.hasPort(hostname, Number(port))).toBe(expected);
  if (pattern !== '*') expect(allowed.hasName(hostname)).toBe(false);
});

it("Angular's engines get names without ports, each once", () => {
  const entries = [
    'shop.example',
    'Shop.example:8443',
    'shop.example.',
    '*.a.example:80',
    '[::1]:4000',
    '*',
  ];
  const names = ['shop.example', '*.a.example', '[::1]', '*'];
  expect(withoutPorts(entries)).toEqual(names);
});

it('nothing is allowed without a pattern', () => {
  expect(toAllowedHosts([]).hasName('localhost')).toBe(false);
});

it.each([
  ...[
    ...['', ' ', 'shop.example:', 'shop.example:0', 'shop.example:65536', '*:80', '.shop.example'],
    ...['http://shop.example', 'shop.example/', 'a@b', '**', '*.', '*a'],
  ],
  ...['*.*.example', 'a.*.example', '*.shop.example:a', '::1', '[::1', 'm\u00fcnchen.de', 'a b'],
  ...[undefined, null, 1, /shop/, ['shop.example']],
])('%s is no pattern', (pattern) => {
  expect(() => assertHostPattern(pattern, 'allowedHosts')).toThrow('allowedHosts has the entry');
});
