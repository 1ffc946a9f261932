import { expect, it } from 'vitest';
import { parseHttpDate, toHttpDate } from '../../src/http/http-date.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

const TIME = Date.UTC(1994, 10, 6, 8, 49, 37);
const NOW = Date.UTC(2026, 10, 20);

it.each([
  ['IMF-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['rfc850-date', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['asctime-date', 'Sun Nov  6 08:49:37 1994'],
])('RFC 9110 section 5.6.7: %s is read', (_form, text) => {
  expect(parseHttpDate(text)).toBe(TIME);
});

it.each([
  'Sat, 31 Dec 2016 23:59:60 GMT',
  'Saturday, 31-Dec-16 23:59:60 GMT',
  'Sat Dec 31 23:59:60 2016',
])('RFC 9110 section 5.6.7: the leap second %s is read', (text) => {
  expect(parseHttpDate(text)).toBe(Date.UTC(2017, 0, 1));
});

it.each(['Sun, 31 Dec 2016 23:59:60 GMT', 'Sat, 31 Dec 2016 23:59:61 GMT'])(
  'RFC 9110 section 5.6.7: %s is no leap second',
  (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  },
);

it.each([
  ['Tue, 29 Feb 2000 00:00:00 GMT', Date.UTC(2000, 1, 29)],
  ['Tue, 29 Feb 1900 00:00:00 GMT', undefined],
  ['Thu, 01 Mar 1900 00:00:00 GMT', Date.UTC(1900, 2, 1)],
  ['Tuesday, 29-Feb-00 00:00:00 GMT', Date.UTC(2000, 1, 29)],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Wed, 31 Dec 1969 23:59:59 GMT', -1000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59)],
  // Years before 100 are not moved into another century.
  ['Sat, 01 Jan 0000 00:00:00 GMT', new Date(0).setUTCFullYear(0, 0, 1)],
])('RFC 9110 section 5.6.7: %s is %s', (text, timeMs) => {
  expect(parseHttpDate(text, NOW)).toBe(timeMs);
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
  ...['', '0', '-1', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 06 Nov 1994 08:49:37 UTC'],
  ...['Sun, 06 Nov 1994 08:49:37 +0000', 'sun, 06 nov 1994 08:49:37 gmt'],
  ...['Sun, 6 Nov 1994 08:49:37 GMT', 'Mon, 06 Nov 1994 08:49:37 GMT'],
  ...['Sun, 06 Nov 1994 24:00:00 GMT', 'Sun, 06 Nov 1994 08:60:37 GMT'],
  ...['Sun, 06 Nov 1994 08:49:61 GMT', 'Wed, 31 Feb 1994 08:49:37 GMT'],
  ...['Sun, 00 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT '],
  ...['Sunday, 06-Nov-1994 08:49:37 GMT', 'Funday, 06-Nov-94 08:49:37 GMT'],
  ...['Sunday, 31-Feb-94 08:49:37 GMT', 'Sun Nov 06 08:49:37 1994', 'Sun Nov 6 08:49:37 1994'],
  ...['Mon Nov  6 08:49:37 1994', 'Sun Nov  6 08:49:37 1994 GMT', '1994-11-06T08:49:37Z'],
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

it(`a date with one character changed is no date, or its own, seed ${seed}`, () => {
  const random = new Random(seed);
  const forms = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ];
  const characters = '0123456789 ,:-GMTSunNovday\0\u00e9\u0661'.split('');
  for (let i = 0; i < 20_000; i++) {
    const form = random.below(forms.length);
    const text = forms[form]!;
    const at = random.below(text.length);
    const changed = text.slice(0, at) + random.pick(characters) + text.slice(at + 1);
    const timeMs = parseHttpDate(changed, NOW);
    if (timeMs === undefined) continue;
    const [imf, ofDay] = [toHttpDate(timeMs), toHttpDate(timeMs).slice(17, 25)];
    const [day, month, year] = [imf.slice(5, 7), imf.slice(8, 11), imf.slice(12, 16)];
    const written = [
      imf,
      // The name of the day is not compared with the date, whose century is a guess.
      `${/^[^,]*/.exec(changed)![0]}, ${day}-${month}-${year.slice(2)} ${ofDay} GMT`,
      `${imf.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${ofDay} ${year}`,
    ];
    if (written[form] !== changed) expect.fail(`${JSON.stringify(changed)} was read as ${imf}`);
  }
});
