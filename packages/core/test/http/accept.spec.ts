import { expect, it } from 'vitest';
import { namesHtml } from '../../src/http/accept.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { randomText } from './random-text.ts';

it.each([
  ['no header', undefined],
  ['Chrome', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'],
  ['Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['curl, fetch', '*/*'],
  ['Java', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'],
  // RFC 9110 section 12.5.1: an example.
  [
    'the RFC',
    'text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5',
  ],
  ['a weight', '*/*;q=0.1'],
  ['case', 'Text/HTML'],
  ['white space', ' \ttext/html\t; q=0.5 '],
  ['the least weight', 'text/html;q=0.001'],
  ['a parameter', 'text/html;charset=utf-8'],
  ['one of two refused', 'text/html;level=1;q=0, text/html'],
  ['empty elements', ',, text/html,'],
  ['empty elements beside everything', ', */* ,'],
])('HTML is wanted: %s', (_client, header) => {
  expect(namesHtml(header)).toBe(true);
});

it.each([
  ["Angular's HttpClient", 'application/json, text/plain, */*'],
  ['JSON', 'application/json'],
  ['an image', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'],
  ['a stylesheet', 'text/css,*/*;q=0.1'],
  ['events', 'text/event-stream'],
  ['refused', 'text/html;q=0'],
  ['refused with digits', 'text/html ; q=0.000'],
  ['refused in capitals', 'text/html;Q=0'],
  ['refused after a parameter', 'text/html;level=1;q=0'],
  ['everything refused', '*/*;q=0'],
  ['nothing named', ''],
  ['no element', ' , ,'],
  ['another type that begins so', 'text/html5'],
  ['another type that ends so', 'application/text/html'],
  ['half a type', 'text/'],
  ['a space within', 'text / html'],
  ['a no-break space', '\u00a0text/html'],
  ['a quoted type', '"text/html"'],
])('RFC 9110 section 12.5.1: HTML is not wanted: %s', (_client, header) => {
  expect(namesHtml(header)).toBe(false);
});

it(`any header is read without failure, and only one that names HTML wants it, seed ${seed}`, () => {
  const random = new Random(seed);
  const pieces = ['text/html', '*/*', 'a/b', ',', ', ', ';', ';q=', '0', '1', '.5', '"', ' ', '\\'];
  let wanted = 0;
  for (let i = 0; i < 20_000; i++) {
    const header = randomText(random, pieces, 8);
    if (!namesHtml(header)) continue;
    wanted++;
    const elements = header.split(',').map((element) => element.trim());
    const names = elements.some((element) => /^text\/html *(?:;|$)/.test(element));
    const isAll = elements.filter((element) => element !== '').length === 1;
    if (!names && !(isAll && header.includes('*/*'))) expect.fail(JSON.stringify(header));
  }
  expect(wanted).toBeGreaterThan(100);
});
