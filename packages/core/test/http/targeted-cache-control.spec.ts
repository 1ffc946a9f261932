import { expect, it } from 'vitest';
import { secondsOf } from '../../src/http/cache-control.ts';
import { readTargeted } from '../../src/http/targeted-cache-control.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { randomText } from './random-text.ts';
import { parseDictionary } from './structured-dictionary.ts';

it.each<[string, Record<string, string | true>]>([
  // RFC 9213: the headers of its examples (sections 2.2, 3.1, 3.2).
  ['max-age=60', { 'max-age': '60' }],
  ['max-age=600', { 'max-age': '600' }],
  ['no-store', { 'no-store': true }],
  ['max-age=60, public', { 'max-age': '60', public: true }],
  // RFC 9651 section 3.2: the last of a key counts; a key alone is true.
  ['max-age=1, max-age=2', { 'max-age': '2' }],
  ['no-store=?1', { 'no-store': true }],
  ['no-store, no-store=?0', {}],
  ['private=?0, max-age=1', { 'max-age': '1' }],
  ['no-store=?0, no-store', { 'no-store': true }],
  // Parameters say nothing here (RFC 9213 section 2.1).
  ['max-age=60;x', { 'max-age': '60' }],
  ['max-age=60; x=1;y="a;b, no-store"', { 'max-age': '60' }],
  ['no-store;x=?0', { 'no-store': true }],
  // RFC 9651 section 3.3: items of every type.
  [
    'a=-1.5, b="x, y", c=*t/k:n, d=:YQ==:, e=@-1, f=%"%c3%a9", g=(1 "2";x 3);y',
    {
      ...{ a: '-1.5', b: '"x, y"', c: '*t/k:n', d: ':YQ==:', e: '@-1', f: '%"%c3%a9"' },
      g: '(1 "2";x 3)',
    },
  ],
  [' a=1\t ,\t b ', { a: '1', b: true }],
  ['*=1, *a.b_c-d*=2', { '*': '1', '*a.b_c-d*': '2' }],
  ['a=()', { a: '()' }],
  ['a=(1 "a, b" c;d);e=1, b', { a: '(1 "a, b" c;d)', b: true }],
  ['a=%"%e2%82%ac%f0%9f%98%80%00%7f"', { a: '%"%e2%82%ac%f0%9f%98%80%00%7f"' }],
])('RFC 9651 section 4.2.2: %s is %j', (value, directives) => {
  expect(Object.fromEntries(readTargeted(value) ?? [])).toEqual(directives);
});

it.each([
  ...['', ' ', '\t', ',', 'max-age=60,', ', max-age=60', 'a,,b', 'a b', 'a=1 b', 'a =1', 'a= 1'],
  ...['a;', 'a; ;b', 'a ;b', 'a;b =1', 'Max-Age=60', '1a', '-a', '_a', '"a"', 'a="', 'a="\\'],
  ...['a="\\n"', 'a="\t"', 'a="\x7f"', 'a="\u00e9"', 'a=\u00e9', 'a=1.', 'a=.5', 'a=--1', 'a=-'],
  ...['a=+1', 'a=1.2345', 'a=1234567890123.1', 'a=1234567890123456', 'a=?', 'a=?2', 'a=?10'],
  ...['a=:a', 'a=:a b:', 'a=@', 'a=@1.5', 'a=@a', 'a=%a', 'a=%"%E9"', 'a=%"%4"'],
  // RFC 9651 section 4.2.10, last step: what it escapes must be UTF-8.
  ...['a=%"%ff"', 'a=%"%c3"', 'a=%"%c0%80"', 'a=%"%e0%80%80"', 'a=%"%ed%a0%80"'],
  ...['a=%"%f4%90%80%80"', 'a=%"%80"', 'a=1;b=%"%ff"', 'a=(1', 'a=(1,2)', 'a=(1"2")', 'a=(1)(2)'],
  ...['a=((1))', 'a=1)', 'a\nb', 'max-age=60, &&&&', 'max-age=', 'max-age=060x', "no-store, 'a'"],
  ...['{"max-age":60}', '1=2', 'a=1\n', 'a\u00a0'],
])('RFC 9213 section 2.1: %j is malformed, and counts as absent', (value) => {
  expect(readTargeted(value)).toBeUndefined();
  expect(parseDictionary(value)?.size ?? 0).toBe(0);
});

it.each([
  ['max-age=60', 60],
  ['max-age=060', 60],
  ['max-age=999999999999999', 2 ** 31],
  // Of another type than an integer, or below zero: stale, as in Cache-Control.
  ['max-age="60"', 0],
  ['max-age=60.0', 0],
  ['max-age=-60', 0],
  ['max-age=:NjA=:', 0],
  ['max-age=@60', 0],
  ['max-age=(60)', 0],
  ['max-age', 0],
  ['max-age=?1', 0],
  ['max-age=sixty', 0],
  ['max-age=?0', undefined],
  ['s-maxage=60', undefined],
])('RFC 9213 section 2.1: the lifetime of %s is %s', (value, seconds) => {
  expect(secondsOf(readTargeted(value)!, 'max-age')).toBe(seconds);
});

const PIECES = [
  ...['a', 'max-age', 'no-store', '*', '=', '=', '=1', '=60', '=-1.5', '=?0', '=?1', '="a, b"'],
  ...['="', '"', '\\', '=:YQ==:', '=@1', '=%"%c3%a9"', '%', '=(', '(', ')', '1', ' 2', ';', ';'],
  ...['; b', ';c=1', ',', ', ', ', ', ',', '\t', ' ', 'A', '.', ':', '/', '\x80', '-', '_'],
];

it(`values are read as the algorithms of RFC 9651 say, seed ${seed}`, () => {
  const random = new Random(seed);
  let parsed = 0;
  for (let i = 0; i < 60_000; i++) {
    const value = randomText(random, PIECES, 10);
    const actual = readTargeted(value);
    // A header's value comes without white space at its ends, tabs included (RFC 9110 section 5.5).
    const expected = parseDictionary(value.replaceAll(/^[ \t]+|[ \t]+$/g, ''));
    if (expected === undefined || value.trim() === '') {
      if (actual !== undefined) expect.fail(`${JSON.stringify(value)} is malformed`);
      continue;
    }
    parsed++;
    const spelt = [...expected].filter(([, member]) => member !== false);
    if (JSON.stringify([...(actual ?? [])].sort()) !== JSON.stringify(spelt.sort())) {
      expect(Object.fromEntries(actual ?? []), JSON.stringify(value)).toEqual(
        Object.fromEntries(spelt),
      );
    }
  }
  expect(parsed).toBeGreaterThan(500);
});

it.each([
  `a="${'\\'.repeat(50_000)}`,
  `a=${'('.repeat(50_000)}`,
  `a=(${'1 '.repeat(50_000)}`,
  `a=(${' '.repeat(50_000)}`,
  `a${';a'.repeat(50_000)};`,
  `a${'; a=1'.repeat(50_000)}=`,
  `${'a,'.repeat(50_000)}`,
  `a=${'1'.repeat(100_000)}`,
  `a=:${'='.repeat(100_000)}`,
  `a=1${' \t'.repeat(50_000)}x`,
])('a long malformed value is refused without end of work: %.20s', (value) => {
  expect(readTargeted(value)).toBeUndefined();
});

it(`display strings are UTF-8, seed ${seed}`, () => {
  const random = new Random(seed);
  const octets = [
    ...['c3', 'a9', 'e2', '82', 'ac', 'ed', 'a0', '80', 'f0', '9f', 'f4', '8f', 'bf', '41'],
  ];
  for (let i = 0; i < 30_000; i++) {
    const escaped = Array.from({ length: random.below(5) }, () => `%${random.pick(octets)}`);
    const value = `a=%"${escaped.join('')}"`;
    if ((readTargeted(value) === undefined) !== (parseDictionary(value) === undefined)) {
      expect.fail(value);
    }
  }
});
