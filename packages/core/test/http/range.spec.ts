import { expect, it } from 'vitest';
import { parseRange } from '../../src/http/range.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { randomText } from './random-text.ts';

/** Of the 10000 bytes that RFC 9110 section 14.1.2 gives its examples for. */
it.each([
  ['bytes=0-499', [0, 499]],
  ['bytes=500-999', [500, 999]],
  ['bytes=-500', [9500, 9999]],
  ['bytes=9500-', [9500, 9999]],
  ['bytes=0-0', [0, 0]],
  ['bytes=-1', [9999, 9999]],
  ['bytes=0-', [0, 9999]],
  ['bytes=-10000', [0, 9999]],
  ['bytes=-10001', [0, 9999]],
  ['bytes=9999-9999', [9999, 9999]],
  ['bytes=9999-10000', [9999, 9999]],
  ['bytes=0-999999999999999', [0, 9999]],
  ['bytes=-999999999999999', [0, 9999]],
  ['bytes=000-0009', [0, 9]],
  // Units are compared without case (section 14.1).
  ['Bytes=1-2', [1, 2]],
  ['BYTES=1-2', [1, 2]],
  // White space about the set, which list syntax allows (section 5.6.1).
  ['bytes= 1-2\t', [1, 2]],
])('RFC 9110 section 14.1.2: %s of 10000 is %j', (value, [first, last]) => {
  expect(parseRange(value, 10_000)).toEqual({ first, last });
});

it.each(['bytes=10000-', 'bytes=10000-10000', 'bytes=999999999999999-', 'bytes=-0', 'bytes=-000'])(
  'RFC 9110 section 14.1.2: %s of 10000 is not satisfiable',
  (value) => {
    expect(parseRange(value, 10_000)).toBe('unsatisfiable');
  },
);

it.each([
  // Several ranges, which a server may pass over (section 14.2): two of the section's examples.
  'bytes=0-0,-1',
  'bytes=500-600,601-999',
  'bytes=0-0,',
  '',
  'bytes',
  'bytes=',
  'bytes= ',
  'bytes=-',
  'bytes=5',
  'bytes=5-4',
  'bytes=--5',
  'bytes=5--',
  'bytes=1-2-3',
  'bytes=+1-2',
  'bytes=1-+2',
  'bytes=1 -2',
  'bytes=1- 2',
  'bytes=1.0-2',
  'bytes=0x1-2',
  'bytes=1e1-20',
  'bytes=\u0661-2',
  'bytes=\u00a01-2',
  'bytes =1-2',
  ' bytes=1-2',
  'bytes:1-2',
  'bytes 1-2/10000',
  'byte=1-2',
  'bytess=1-2',
  'items=1-2',
  'none=1-2',
  'bytes=bytes=1-2',
  // No number that could lose its last digits in a double.
  'bytes=0-9999999999999999',
  'bytes=9007199254740993-',
  `bytes=${'9'.repeat(400)}-`,
])('RFC 9110 section 14.2: %j is ignored', (value) => {
  expect(parseRange(value, 10_000)).toBeUndefined();
});

it.each([
  ['bytes=0-', 'unsatisfiable'],
  ['bytes=0-0', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // Satisfiable by section 14.1.2, but Content-Range has no words for a part of nothing.
  ['bytes=-1', undefined],
  ['bytes=-500', undefined],
])('RFC 9110 section 14.1.2: %s of no bytes is %s', (value, expected) => {
  expect(parseRange(value, 0)).toBe(expected);
});

/** The bytes that a range names, one by one. */
function bytesOf(first: string, last: string, length: number): number[] {
  const all = Array.from({ length }, (_, at) => at);
  if (first === '') return last === '0' ? [] : all.slice(-Number(last));
  return all.filter((at) => at >= Number(first) && (last === '' || at <= Number(last)));
}

it(`a range is the bytes that it names, seed ${seed}`, () => {
  const random = new Random(seed);
  for (let i = 0; i < 20_000; i++) {
    const length = 1 + random.below(20);
    const first = random.chance(0.3) ? '' : String(random.below(25));
    const last = random.chance(0.3) ? '' : String(random.below(25));
    const range = parseRange(`bytes=${first}-${last}`, length);
    const about = `bytes=${first}-${last} of ${length}`;
    const isValid = first === '' ? last !== '' : last === '' || Number(last) >= Number(first);
    if (!isValid) {
      expect(range, about).toBeUndefined();
      continue;
    }
    const bytes = bytesOf(first, last, length);
    if (bytes.length === 0) expect(range, about).toBe('unsatisfiable');
    else expect(range, about).toEqual({ first: bytes[0], last: bytes.at(-1) });
  }
});

it(`no text gives a range outside the content, seed ${seed}`, () => {
  const random = new Random(seed);
  const pieces = ['bytes=', 'Bytes=', '0', '1', '9', '99999', '-', '-', ',', ' ', '\t', 'e', '.'];
  let ranges = 0;
  for (let i = 0; i < 30_000; i++) {
    const text = (random.chance(0.9) ? 'bytes=' : '') + randomText(random, pieces, 6);
    const length = random.pick([0, 1, 10, 100, 2 ** 40]);
    const range = parseRange(text, length);
    if (range === undefined) continue;
    const about = `${JSON.stringify(text)} of ${length}`;
    if (!/^bytes=[ \t]*(?:\d+-\d*|-\d+)[ \t]*$/i.test(text)) expect.fail(`${about} is no range`);
    if (range === 'unsatisfiable') continue;
    ranges++;
    const { first, last } = range;
    if (!(first >= 0 && first <= last && last < length)) {
      expect.fail(`${about} is ${first} to ${last}`);
    }
  }
  expect(ranges).toBeGreaterThan(200);
});
