import { expect, it } from 'vitest';
import { trimOws } from '../../src/http/optional-whitespace.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { randomText } from './random-text.ts';

it('RFC 9110 section 5.6.3: spaces and tabs are taken off, and no other character', () => {
  for (let code = 0; code <= 0x3001; code++) {
    const character = String.fromCharCode(code);
    const isOws = code === 0x20 || code === 0x09;
    expect(trimOws(`${character}a${character}`), `U+${code.toString(16)}`).toBe(
      isOws ? 'a' : `${character}a${character}`,
    );
  }
});

it.each([
  ['', ''],
  [' ', ''],
  [' \t \t', ''],
  ['a', 'a'],
  ['a b\tc', 'a b\tc'],
  ['\t a \u00a0 ', 'a \u00a0'],
])('RFC 9110 section 5.6.3: %j is trimmed to %j', (text, trimmed) => {
  expect(trimOws(text)).toBe(trimmed);
});

it(`any text is trimmed as a regular expression would, seed ${seed}`, () => {
  const random = new Random(seed);
  for (let i = 0; i < 5_000; i++) {
    const text = randomText(random, [' ', '\t', '\r', '\n', '\u00a0', 'a', ','], 10);
    expect(trimOws(text), JSON.stringify(text)).toBe(text.replaceAll(/^[ \t]+|[ \t]+$/g, ''));
  }
});
