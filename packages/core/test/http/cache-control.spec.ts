import { describe, expect, it } from 'vitest';
import { hasDirective, readDirectives, secondsOf } from '../../src/http/cache-control.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { elementsOf, follows, listOf, QUOTED_STRING, TOKEN, unquoted } from './grammar.ts';
import { randomText } from './random-text.ts';

/** As an object, which is shorter to read in a table. */
function read(value: string): Record<string, string | true> {
  return Object.fromEntries(readDirectives(value));
}

describe('readDirectives', () => {
  it.each<[string, Record<string, string | true>]>([
    // RFC 9111 section 5.2 and its sub-sections: examples.
    ['max-age=3600', { 'max-age': '3600' }],
    ['private, community="UCI"', { private: true, community: 'UCI' }],
    ['private="x-a, x-b", max-age=5', { private: 'x-a, x-b', 'max-age': '5' }],
    ['no-cache="set-cookie"', { 'no-cache': 'set-cookie' }],
    ['must-understand, no-store', { 'must-understand': true, 'no-store': true }],
    // RFC 5861 section 3.1, RFC 8246 section 2.
    [
      'max-age=600, stale-while-revalidate=30',
      { 'max-age': '600', 'stale-while-revalidate': '30' },
    ],
    ['max-age=31536000, immutable', { 'max-age': '31536000', immutable: true }],
    // Directives are compared without case, arguments are not (section 5.2).
    ['Max-Age=1, NO-STORE', { 'max-age': '1', 'no-store': true }],
    ['community=uCi', { community: 'uCi' }],
    // A quoted-string and a token are the same argument (section 5.2).
    ['max-age="60"', { 'max-age': '60' }],
    ['a="\\"\\\\\\x"', { a: '"\\x' }],
    ['a=""', { a: '' }],
    ['a=', { a: '' }],
    // White space and empty elements (RFC 9110 sections 5.6.1.2 and 5.6.3).
    [' ,,\tmax-age=1\t ,, public ,', { 'max-age': '1', public: true }],
    ['', {}],
    [' , ', {}],
    // Of a directive that comes twice the first counts (section 4.2.1).
    ['max-age=1, max-age=2', { 'max-age': '1' }],
    ['Max-Age=1, max-age="2"', { 'max-age': '1' }],
    // Against the grammar, but there is one way only to understand it.
    ['max-age = 60', { 'max-age': '60' }],
    ['a=b=c', { a: 'b=c' }],
    ['=60, public', { public: true }],
  ])('RFC 9111 section 5.2: %s is %j', (value, directives) => {
    expect(read(value)).toEqual(directives);
  });

  it.each([
    ...['ext=", private', 'ext="a", private, b="', 'ext=a", private"', '", private"'],
    ...['"x, private"', 'ext="a" "b, private"', 'ext="\\", private', 'ext="a\\", private'],
    ...['ext"=", private, "', 'private=', 'private=x', 'private="x', "private='x-a', s-maxage=60"],
    ...['s-maxage=60, private="x-a, s-maxage=1"', 'PRIVATE', 'private\u00a0', 'public,private'],
    'max-age="1, private, x=1',
  ])('no misspelt quote hides private: %s', (value) => {
    expect(hasDirective(value, 'private')).toBe(true);
  });

  it.each([
    ...['ext="a, private"', 'ext="\\", private"', 'ext="\\\\\\", private"', 'ext = "a, private"'],
    ...['not-private', 'private-not', 'x=private', 'private x'],
    // An apostrophe is a character of names.
    "ext='a, private'",
  ])('not private: %s', (value) => {
    expect(hasDirective(value, 'private')).toBe(false);
  });

  it('an absent header has no directive', () => {
    expect(hasDirective(undefined, 'private')).toBe(false);
  });
});

describe('secondsOf', () => {
  it.each([
    ['max-age=0', 0],
    ['max-age=60', 60],
    ['max-age="60"', 60],
    ['max-age=00060', 60],
    // RFC 9111 section 1.2.2: a number that is too large is 2147483648.
    ['max-age=2147483647', 2 ** 31 - 1],
    ['max-age=2147483648', 2 ** 31],
    ['max-age=2147483649', 2 ** 31],
    ['max-age=99999999999999999999', 2 ** 31],
    [`max-age=${'9'.repeat(400)}`, 2 ** 31],
    // Section 4.2.1: what cannot be read is stale.
    ['max-age', 0],
    ['max-age=', 0],
    ['max-age=""', 0],
    ['max-age=-1', 0],
    ['max-age=+1', 0],
    ['max-age=1.5', 0],
    ['max-age=1e3', 0],
    ['max-age=0x10', 0],
    ['max-age=60s', 0],
    ['max-age=6 0', 0],
    ['max-age=1_0', 0],
    ['max-age=",10"', 0],
    ['max-age=" 60"', 0],
    ['max-age=\u0666', 0],
    ["max-age='60'", 0],
    ['max-age=60, max-age=1', 60],
    ['max-age=x, max-age=60', 0],
    ['s-maxage=60', undefined],
    ['max-age-x=60', undefined],
    ['', undefined],
  ])('RFC 9111 section 1.2.2: %s is %s', (value, seconds) => {
    expect(secondsOf(readDirectives(value), 'max-age')).toBe(seconds);
  });
});

const DIRECTIVE = `(${TOKEN})(?:=(${QUOTED_STRING}|${TOKEN}))?`;

/** The grammar of section 5.2, and the first of each name. */
function oracle(value: string): Record<string, string | true> {
  const directives: Record<string, string | true> = {};
  for (const [, name, argument] of elementsOf(value, DIRECTIVE)) {
    directives[name!.toLowerCase()] ??= argument === undefined ? true : unquoted(argument);
  }
  return directives;
}

const PIECES = [
  ...['max-age', 'private', 'No-Store', 'a', '=', '=', '=1', '="', '"', '"a"', '"a, b"'],
  ...['\\', '\\"', ',', ', ', ',', ' ', '\t', '="private"', '=""', 'public'],
];

it(`values are read as the grammar says, and others without failure, seed ${seed}`, () => {
  const random = new Random(seed);
  let grammatical = 0;
  for (let i = 0; i < 30_000; i++) {
    const value = randomText(random, PIECES, 9);
    const actual = read(value);
    if (!follows(value, listOf(DIRECTIVE))) continue;
    grammatical++;
    if (JSON.stringify(actual) !== JSON.stringify(oracle(value))) {
      expect(actual, JSON.stringify(value)).toEqual(oracle(value));
    }
  }
  expect(grammatical).toBeGreaterThan(2_000);
});

it(`what is written is read, seed ${seed}`, () => {
  const random = new Random(seed);
  const characters = ['"', '\\', ',', '=', ' ', '\t', 'a', '1', '\x80', '\xff', ';'];
  for (let i = 0; i < 5_000; i++) {
    const names = ['a', 'b', 'max-age', 'private'].filter(() => random.chance(0.5));
    const written = names.map((name) => {
      const argument = random.chance(0.3) ? true : randomText(random, characters, 6);
      return [name, argument] as const;
    });
    const value = written
      .map(([name, argument]) =>
        argument === true ? name : `${name}="${argument.replaceAll(/["\\]/g, '\\$&')}"`,
      )
      .join(random.pick([',', ', ', ' ,\t', ',,']));
    expect(read(value), value).toEqual(Object.fromEntries(written));
  }
});
