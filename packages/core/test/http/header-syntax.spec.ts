import { expect, it } from 'vitest';
import { isHeaderName, isHeaderValue } from '../../src/http/header-syntax.ts';
import { follows, TOKEN } from './grammar.ts';

const CODES = [...Array.from({ length: 0x180 }, (_, code) => code), 0x2028, 0xd800, 0xffff];

it('RFC 9110 section 5.1: a header name is a token', () => {
  for (const code of CODES) {
    const character = String.fromCharCode(code);
    for (const name of [character, `a${character}`, `${character}a`, `a${character}a`]) {
      expect(isHeaderName(name), JSON.stringify(name)).toBe(follows(name, TOKEN));
    }
  }
  expect(isHeaderName('')).toBe(false);
  expect(isHeaderName('__proto__')).toBe(true);
});

it('RFC 9110 section 5.5: a header value has visible characters, spaces, tabs and obs-text', () => {
  for (const code of CODES) {
    const character = String.fromCharCode(code);
    const isAllowed = code === 9 || (code >= 0x20 && code <= 0xff && code !== 0x7f);
    for (const value of [character, `a${character}`, `${character}a`, `a${character}a`]) {
      expect(isHeaderValue(value), JSON.stringify(value)).toBe(isAllowed);
    }
  }
  expect(isHeaderValue('')).toBe(true);
});

it('node:http and Headers take every such name and value', async () => {
  const { validateHeaderName, validateHeaderValue } = await import('node:http');
  for (const code of CODES) {
    const text = `a${String.fromCharCode(code)}a`;
    if (isHeaderName(text)) {
      validateHeaderName(text);
      new Headers().set(text, '');
    }
    if (isHeaderValue(text)) {
      validateHeaderValue('a', text);
      new Headers().set('a', text);
    }
  }
});
