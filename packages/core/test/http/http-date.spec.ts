import { expect, it } from 'vitest';
import { parseHttpDate, toHttpDate } from '../../src/http/http-date.ts';
import { Random, seed } from '../stored/random.ts';

const TIME = Date.UTC(1994, 10, 6, 8, 49, 37);
const NOW = Date.UTC(2026, 10, 20);

it.each([
  ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['rfc850-date', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['asctime-date', 'Sun Nov  6 08:49:37 1994'],
])('RFC 9110 section 5.6.7: %s is read', (_form, text) => {
  expect(parseHttpDate(text)).toBe(TIME);
});

it('RFC 9110 section 5.6.7: two digits are the latest year that is at most 50 years ahead', () => {
  const yearOf = (text: string): number =>
    new Date(parseHttpDate(text, NOW) ?? Number.NaN).getUTCFullYear();
  expect(yearOf('Friday, 20-Nov-26 00:00:00 GMT')).toBe(2026);
  expect(yearOf('Friday, 20-Nov-76 00:00:00 GMT')).toBe(2076);
  expect(yearOf('Friday, 21-Nov-76 00:00:00 GMT')).toBe(1976);
  expect(yearOf('Friday, 31-Dec-99 00:00:00 GMT')).toBe(1999);
  expect(yearOf('Saturday, 01-Jan-00 00:00:00 GMT')).toBe(2000);
});

it.each([
  '',
  '0',
  '-1',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 UTC',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'sun, 06 nov 1994 08:49:37 gmt',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Mon, 06 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 06 Nov 1994 08:60:37 GMT',
  'Sun, 06 Nov 1994 08:49:61 GMT',
  'Wed, 31 Feb 1994 08:49:37 GMT',
  'Sun, 00 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT ',
  'Sunday, 06-Nov-1994 08:49:37 GMT',
  'Funday, 06-Nov-94 08:49:37 GMT',
  'Sunday, 31-Feb-94 08:49:37 GMT',
  'Sun Nov 06 08:49:37 1994',
  'Sun Nov 6 08:49:37 1994',
  'Mon Nov  6 08:49:37 1994',
  'Sun Nov  6 08:49:37 1994 GMT',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('RFC 9110 section 5.6.7: %j is no date', (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});

it(`dates are read as they are written, seed ${seed}`, () => {
  const random = new Random(seed);
  const first = Date.UTC(1900, 0, 1);
  const seconds = (Date.UTC(9999, 11, 31) - first) / 1000;
  for (let i = 0; i < 20_000; i++) {
    const timeMs = first + random.below(seconds) * 1000;
    expect(parseHttpDate(toHttpDate(timeMs))).toBe(timeMs);
  }
});
