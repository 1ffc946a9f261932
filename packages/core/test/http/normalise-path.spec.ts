import { expect, it } from 'vitest';
import { isWellFormed, normalisePath } from '../../src/http/target.ts';
import { randomText } from './random-text.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

it.each([
  // RFC 3986 sections 2.3, 6.2.2.1 and 6.2.2.2: their examples.
  ['/%7Esmith/home.html', '/~smith/home.html'],
  ['/%7esmith/home.html', '/~smith/home.html'],
  ['/~smith/home.html', '/~smith/home.html'],
  ['/%3a', '/%3A'],
  ['/b/c/%7Bfoo%7D', '/b/c/%7Bfoo%7D'],
  ['/b/c/%7bfoo%7d', '/b/c/%7Bfoo%7D'],
  ['/%41%5a%61%7A%30%39%2d%2E%5f%7e', '/AZaz09-._~'],
  ['/%c3%a9', '/%C3%A9'],
  // Delimiters stay as they are: they are not the same to who reads the path.
  ['/%2f%3b%3d%40%2C', '/%2F%3B%3D%40%2C'],
  ['/;=@,', '/;=@,'],
  // Decoded once only.
  ['/%2541', '/%2541'],
  ['/%25%34%31', '/%2541'],
  ['/a%2e%2eb', '/a..b'],
  ['/', '/'],
  ['', ''],
])('RFC 3986 section 6.2.2: %s is %s', (path, normalised) => {
  expect(normalisePath(path)).toBe(normalised);
});

it('RFC 3986 section 2.3: of all octets the unreserved ones are decoded', () => {
  for (let code = 0; code <= 0xff; code++) {
    const hex = `%${code.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(code);
    const expected = /[A-Za-z0-9\-._~]/.test(character) ? character : hex.toUpperCase();
    expect(normalisePath(`/${hex}`)).toBe(`/${expected}`);
    expect(normalisePath(`/${hex.toUpperCase()}`)).toBe(`/${expected}`);
  }
});

it(`normalised paths name the same, once and for all, seed ${seed}`, () => {
  const random = new Random(seed);
  const pieces = [
    ...['/', 'a', '%61', '%2F', '%2f', ';', '%3B', '%25', '%c3%a9', '%2e', '~', '%7E', '%4'],
  ];
  let wellFormed = 0;
  for (let i = 0; i < 20_000; i++) {
    const path = `/${randomText(random, pieces, 8)}`;
    const normalised = normalisePath(path);
    const about = `${path} is ${normalised}`;
    if (!isWellFormed(path)) continue;
    wellFormed++;
    if (normalisePath(normalised) !== normalised) expect.fail(about);
    if (decodeURIComponent(normalised) !== decodeURIComponent(path)) expect.fail(about);
    // What is well-formed stays so, and no escape becomes a delimiter.
    if (!isWellFormed(normalised)) expect.fail(about);
    if (normalised.split(/[/;]/).length !== path.split(/[/;]/).length) expect.fail(about);
  }
  expect(wellFormed).toBeGreaterThan(1_000);
});
