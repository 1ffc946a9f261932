import { describe, expect, it } from 'vitest';
import {
  firstElement,
  type ForwardedElement,
  isProxyHeader,
  parseForwarded,
  toProxyHeaderPredicate,
} from '../../src/host/proxy-headers.ts';
import { elementsOf, follows, OWS, QUOTED_STRING, TOKEN, unquoted } from '../http/grammar.ts';
import { randomText } from '../http/random-text.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

describe('parseForwarded', () => {
  it.each<[string, ForwardedElement]>([
    // RFC 7239 section 4: its examples.
    ['for="_gazonk"', {}],
    ['For="[2001:db8:cafe::17]:4711"', {}],
    ['for=192.0.2.60;proto=http;by=203.0.113.43', { proto: 'http' }],
    ['for=192.0.2.43, for=198.51.100.17', {}],
    // Section 7.1 and 7.4.
    ['for=192.0.2.43, for="[2001:db8:cafe::17]"', {}],
    ['for=_hidden, for=_SEVKISEK', {}],
    // Of several elements the first is of the proxy next to the client (section 4).
    ['host=a;proto=https, host=b;proto=http', { host: 'a', proto: 'https' }],
    ['for=1, host=b', {}],
    // Names are compared without case, and values are left as they are.
    ['HOST=A;Proto=HTTPS', { host: 'A', proto: 'HTTPS' }],
    // Section 4: colons and brackets must be quoted, yet are sent without quotes.
    ['host="a:8080"', { host: 'a:8080' }],
    ['host=a:8080', { host: 'a:8080' }],
    ['host=[::1]:80', { host: '[::1]:80' }],
    ['host="[::1]:80";proto=http', { host: '[::1]:80', proto: 'http' }],
    // Quoted-strings (RFC 9110 section 5.6.4).
    ['host="a\\b"', { host: 'ab' }],
    ['host="\\"\\\\"', { host: '"\\' }],
    ['for="a, host=b; \\"";host=c', { host: 'c' }],
    ['host=""', { host: '' }],
    // Empty pairs (RFC 7239 section 4) and elements (RFC 9110 section 5.6.1.2), and white space.
    ['host=a;', { host: 'a' }],
    [';host=a', { host: 'a' }],
    ['for=1;;host=a', { host: 'a' }],
    [', ,host=a', { host: 'a' }],
    ['host=a,', { host: 'a' }],
    [' \thost=a\t;\tproto=http\t,', { host: 'a', proto: 'http' }],
    // Names of other pairs.
    ['xhost=a;host-x=b;proto2=c', {}],
    ['constructor=a;__proto__=b', {}],
  ])('RFC 7239 section 4: %s says %j', (value, element) => {
    expect(parseForwarded(value)).toEqual(element);
  });

  it.each([
    ...['', ' ', ',', 'host', 'host,proto=http', '=a', ' =a', 'host =a', 'host= a', 'host="a'],
    ...['host="a\\', 'host="a\\"', 'host="a"b', 'host="a" b', 'host="a"="b"', 'host=a"b"'],
    ...['host=a b', 'ho(st=a', 'ho st=a', '"host"=a'],
    // A pair that is none must not hide the one after it.
    ...['for;host=a', 'for host=a', 'a,b;host=c'],
    // Section 4: each parameter once.
    ...['host=a;host=b', 'host=a;HOST=a', 'proto=http;proto=https'],
  ])('RFC 7239 section 4: %j is malformed', (value) => {
    expect(parseForwarded(value)).toBeUndefined();
  });

  it.each(['"'.repeat(50_000), `for="${'\\"'.repeat(50_000)}`, `a${'=a'.repeat(50_000)}`])(
    'a long value is read without end of work: %.9s',
    (value) => {
      expect(() => parseForwarded(value)).not.toThrow();
    },
  );

  const PAIR = `(${TOKEN})=(${QUOTED_STRING}|${TOKEN})`;
  const ELEMENT = `(?:${PAIR})?(?:;(?:${PAIR})?)*`;
  const FORWARDED = `${OWS}${ELEMENT}(?:${OWS},${OWS}${ELEMENT})*${OWS}`;

  /** The first element that is not empty, by the grammar of section 4. */
  function oracle(value: string): ForwardedElement | undefined {
    const [first = ''] = elementsOf(value, `(?:${PAIR}|;)+`).map(([text]) => text);
    const element: { host?: string; proto?: string } = {};
    for (const [, token, text] of elementsOf(first, PAIR)) {
      const name = token!.toLowerCase();
      if (name !== 'host' && name !== 'proto') continue;
      if (element[name] !== undefined) return undefined;
      element[name] = unquoted(text!);
    }
    return first === '' ? undefined : element;
  }

  const PIECES = [
    ...['host', 'proto', 'for', 'Host', '=', '=a', '=a', '="a"', '="a, b;host=c"', '="\\""', '"'],
    ...[';', ';', ',', ', ', ' ', '\t', ';host=a', ';proto=http', 'b', '\\', ':', '=a:80'],
  ];

  it(`values are read as the grammar says, and others without failure, seed ${seed}`, () => {
    const random = new Random(seed);
    let grammatical = 0;
    for (let i = 0; i < 30_000; i++) {
      const value = randomText(random, PIECES, 8);
      const actual = parseForwarded(value);
      if (!follows(value, FORWARDED)) continue;
      grammatical++;
      const expected = oracle(value);
      if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        expect(actual, JSON.stringify(value)).toEqual(expected);
      }
    }
    expect(grammatical).toBeGreaterThan(1_000);
  });

  it(`what is written is read, seed ${seed}`, () => {
    const random = new Random(seed);
    for (let i = 0; i < 5_000; i++) {
      const host = randomText(
        random,
        ['"', '\\', ',', ';', '=', ' ', 'a', ':', 'host=', '\xff'],
        6,
      );
      const quoted = `"${host.replaceAll(/["\\]/g, '\\$&')}"`;
      const value = random.pick([
        `host=${quoted};proto=https`,
        `for=1;proto="https";host=${quoted}, host=b`,
        `proto=https;Host=${quoted};by=${quoted},`,
      ]);
      expect(parseForwarded(value), value).toEqual({ host, proto: 'https' });
    }
  });
});

describe('firstElement', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['a, b', 'a'],
    ['\t a \t,b', 'a'],
    [',b', ''],
    ['a b', 'a b'],
    ['\u00a0a', '\u00a0a'],
    ['"a,b"', '"a'],
  ])('of %j it is %j', (value, first) => {
    expect(firstElement(value)).toBe(first);
  });
});

describe('toProxyHeaderPredicate', () => {
  it('trusts all, none, or the headers of a list, without case', () => {
    expect(toProxyHeaderPredicate(true, 'x')('forwarded')).toBe(true);
    expect(toProxyHeaderPredicate(false, 'x')('forwarded')).toBe(false);
    const listed = toProxyHeaderPredicate(['X-Forwarded-Host', 'FORWARDED'], 'x');
    expect(['x-forwarded-host', 'forwarded', 'x-forwarded-proto'].map(listed)).toEqual([
      ...[true, true, false],
    ]);
  });

  it.each(['x-real-ip', 'x-forwarded', '', 'host', 'forwarded ', 'x_forwarded_host', '*'])(
    'refuses a list with %j',
    (name) => {
      expect(isProxyHeader(name)).toBe(false);
      expect(() => toProxyHeaderPredicate(['forwarded', name], 'the option')).toThrow(
        `the option has the entry ${JSON.stringify(name)}`,
      );
    },
  );

  it.each([
    ['x-forwarded-hots', 'x-forwarded-host'],
    ['X-Forwarded-Prot', 'x-forwarded-proto'],
    ['x-forwarded-protocol', 'x-forwarded-proto'],
    ['x-fowarded-host', 'x-forwarded-host'],
    ['x-forward-port', 'x-forwarded-port'],
    ['forwarder', 'forwarded'],
  ])('refuses %j, which may be meant to be %j', (name, meant) => {
    expect(() => toProxyHeaderPredicate([name], 'the option')).toThrow(
      `the option has the entry ${JSON.stringify(name)}. Did you mean "${meant}"?`,
    );
  });

  // Angular takes any: proxies that log users in, or end TLS with client certificates, send them to pages.
  it.each([
    ...['for', 'host', 'port', 'prefix', 'proto', 'by', 'server', 'scheme', 'ssl', 'uri', 'path'],
    ...['method', 'user', 'email', 'groups', 'preferred-username', 'access-token', 'client-cert'],
  ])('takes x-forwarded-%s', (end) => {
    expect(toProxyHeaderPredicate([`x-forwarded-${end}`], 'x')(`x-forwarded-${end}`)).toBe(true);
  });
});
