import { describe, expect, it } from 'vitest';
import { canonicalPath, isWellFormed, pathOf } from '../../src/http/target.ts';
import { randomText } from './random-text.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

describe('pathOf', () => {
  it.each([
    // RFC 9112 section 3.2.1: an example.
    ['/where?q=now', '/where'],
    ['/', '/'],
    ['/?', '/'],
    ['/a?b?c', '/a'],
    ['/a%3Fb?c', '/a%3Fb'],
    ['/a?/b', '/a'],
    ['', ''],
  ])('of %s it is %s', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});

/** RFC 3986 section 3.3: what a segment may have unescaped; RFC 3629: characters beyond ASCII, escaped. */
const WELL_FORMED = [
  '/',
  '/where?q=now',
  '/?',
  "/-._~!$&'()*+,;=:@",
  '/a/b/c',
  '/a/',
  '/a//b',
  '/a//',
  '/...',
  '/.a',
  '/a.',
  '/..a/a..',
  '/.well-known/x',
  '/;/..;',
  '/%C3%A4',
  '/%c3%a4',
  '/%E2%82%AC',
  '/%F0%9F%98%80',
  '/%EF%BF%BD',
  '/%ef%bb%bf',
  '/%20',
  '/%2F%2F',
  '/%2Fevil.example',
  '/%25',
  '/%252e%252e/',
  '/%255c',
  '/%23/%3F',
  '/a?//evil',
  '/a?../..',
  '/a?%',
  '/a?%zz%ff',
  '/a?\\',
  '/a?%00',
  '/a?b?c',
  `/${'a'.repeat(100_000)}`,
];

const MALFORMED = [
  ...['', '*', '?', '?a', 'a', 'a/b', '.'],
  // RFC 9112 sections 3.2.2 and 3.2.3: absolute-form and authority-form.
  ...['http://www.example.org/pub/WWW/TheProject.html', 'www.example.com:80'],
  // RFC 3986 section 3.3: a path without an authority does not begin so.
  ...['//', '//evil.example', '///a', '/\\evil.example', '\\/evil.example', '/a\\b', '/%5C'],
  '/%5c..%5c',
  // Section 5.2.4: dot segments, in every spelling.
  ...['/.', '/..', '/./a', '/a/./b', '/a/../b', '/a/..', '/a/.?x', '/%2e', '/%2E%2e', '/.%2e/a'],
  ...['/%2E./a', '/a/%2e%2e?x', '/..%2Fa', '/a%2f..%2Fb', '/a%2F.', '/%2F../a', '//..'],
  // Section 2.1: escapes that are none, and octets that are no UTF-8.
  ...['/%', '/%2', '/%g0', '/%0g', '/% 0', '/%%', '/%u0041', '/%80', '/%ff', '/%c3', '/%c3/%a4'],
  ...['/%C0%AE%C0%AE/', '/%c0%af', '/%e0%80%af', '/%ed%a0%80', '/%f4%90%80%80', '/%f8%88%80%80%80'],
  // Control characters, escaped and not.
  ...['/%00', '/%0a', '/%0D%0Aa', '/%1f', '/%7F', '/\t', '/ ', '/a b', '/a\r\nb', '/a?b c'],
  ...['/a?b\0', '/a?\x7f'],
  // Section 3.5: a fragment is not sent.
  ...['/#', '/a#b', '/a?b#c'],
  // Beyond ASCII.
  ...['/\u00e4', '/a?\u00e4', '/\ud800', '/\uff0e\uff0e/'],
];

describe('isWellFormed', () => {
  it.each(WELL_FORMED)('RFC 9112 section 3.2.1: %.40s is well-formed', (target) => {
    expect(isWellFormed(target)).toBe(true);
  });

  it.each(MALFORMED)('RFC 9112 section 3.2.1: %j is malformed', (target) => {
    expect(isWellFormed(target)).toBe(false);
  });

  it('escapes of single octets: all of ASCII but controls, backslash and a lone dot', () => {
    for (let code = 0; code <= 0xff; code++) {
      const escape = `%${code.toString(16).padStart(2, '0')}`;
      const isOctet = code >= 0x20 && code < 0x7f && code !== 0x5c;
      expect(isWellFormed(`/a${escape}b`), escape).toBe(isOctet);
      expect(isWellFormed(`/${escape}`), escape).toBe(isOctet && code !== 0x2e);
    }
  });

  const PIECES = [
    ...['/', '/', '.', '..', '%2e', '%2E', '%2f', '%5c', '\\', '%', '%c3%a9', '%c3', '%ff', 'a'],
    ...['b', '?', '#', ' ', '\t', '%00', ';', '@', ':', '%25', '%20', '\u00e9', '"', '|', '%7c'],
  ];

  /** The octets of a path, decoded one by one; undefined for an escape that is none. */
  function octetsOf(path: string): number[] | undefined {
    if (/%(?![\da-f]{2})/i.test(path)) return undefined;
    return [...path.matchAll(/%([\da-f]{2})|[^]/gi)].map(([text, hex]) =>
      hex === undefined ? text.charCodeAt(0) : Number.parseInt(hex, 16),
    );
  }

  function oracle(target: string): boolean {
    if (!/^\/(?!\/)[\x21\x22\x24-\x7e]*$/.test(target)) return false;
    const octets = octetsOf(target.split('?', 1)[0]!);
    if (octets === undefined || octets.some((octet) => octet < 0x20)) return false;
    if (octets.includes(0x5c) || octets.includes(0x7f)) return false;
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      const path = decoder.decode(Uint8Array.from(octets));
      return !/\/\.\.?(?:\/|$)/.test(path);
    } catch {
      return false;
    }
  }

  it(`targets are judged as octet by octet, and a URL keeps them as they are, seed ${seed}`, () => {
    const random = new Random(seed);
    let wellFormed = 0;
    for (let i = 0; i < 30_000; i++) {
      const target = (random.chance(0.9) ? '/' : '') + randomText(random, PIECES, 7);
      const actual = isWellFormed(target);
      const about = JSON.stringify(target);
      if (actual !== oracle(target)) expect.fail(`${about} is well-formed: ${actual}`);
      if (!actual) continue;
      wellFormed++;
      // No reader makes another host, path or query of it.
      const url = new URL(target, 'http://h');
      if (url.host !== 'h' || url.hash !== '' || url.pathname.includes('\\')) expect.fail(about);
      const path = pathOf(target);
      if (decodeURIComponent(url.pathname) !== decodeURIComponent(path)) expect.fail(about);
      if (url.pathname.split('/').length !== path.split('/').length) expect.fail(about);
    }
    expect(wellFormed).toBeGreaterThan(1_000);
  });
});

describe('canonicalPath', () => {
  it.each([
    ['/', '/'],
    ['', ''],
    ['/a/b.js', '/a/b.js'],
    ['/A-Z_a.z~0', '/A-Z_a.z~0'],
    ['/%61', '/a'],
    ['/%7Ea', '/~a'],
    ['/%7ea', '/~a'],
    ['/a%20b', '/a%20b'],
    ['/%c3%a9', '/%C3%A9'],
    ['/%C3%A9', '/%C3%A9'],
    ['/\u00e9', '/%C3%A9'],
    // Delimiters: one spelling each, whether a URL escapes them or not.
    ['/a,b;c=d@e:f', '/a%2Cb%3Bc%3Dd%40e%3Af'],
    ['/a%2Cb%3Bc%3Dd%40e%3Af', '/a%2Cb%3Bc%3Dd%40e%3Af'],
    ["/!'()*", "/!'()*"],
    ['/%21%27%28%29%2a', "/!'()*"],
    ['/a//b/', '/a//b/'],
    ['/%25', '/%25'],
    ['/%2561', '/%2561'],
    // An escaped slash is no part of a file's name.
    ['/a%2Fb', undefined],
    ['/a%2fb', undefined],
    ['/%', undefined],
    ['/%zz', undefined],
    ['/%ff', undefined],
    ['/%c3/%a9', undefined],
  ])('RFC 3986 section 6.2.2: %s is %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
  });

  it(`a name has one path, however it is escaped, seed ${seed}`, () => {
    const random = new Random(seed);
    const characters = [...'aZ09-_.~!$&\'()*+,;=:@%?# "<>^`{|}[]\u00e9\u20ac\u{1f600}'];
    for (let i = 0; i < 5_000; i++) {
      const names = Array.from({ length: 1 + random.below(3) }, () =>
        randomText(random, characters, 5),
      );
      const canonical = `/${names.map(encodeURIComponent).join('/')}`;
      const spell = (name: string): string =>
        [...name].map((character) => spellOf(random, character)).join('');
      const spelling = `/${names.map(spell).join('/')}`;
      expect(canonicalPath(spelling), spelling).toBe(canonical);
      expect(canonicalPath(canonical), spelling).toBe(canonical);
    }
  });
});

/** A character as it is, where a path may have it so, or escaped, in digits of either case. */
function spellOf(random: Random, character: string): string {
  if (/[^%?#]/.test(character) && random.chance(0.5)) return character;
  return [...Buffer.from(character)]
    .map((octet) => {
      const hex = `%${octet.toString(16).padStart(2, '0')}`;
      return random.chance(0.5) ? hex : hex.toUpperCase();
    })
    .join('');
}
