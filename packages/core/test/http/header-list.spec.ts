import { describe, expect, it } from 'vitest';
import {
  addVary,
  joinLines,
  toNotModifiedHeaders,
  valueOf,
  withHeader,
} from '../../src/http/header-list.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

const NAMES = ['ETag', 'etag', 'Vary', 'X-A', 'x-a', 'X-B', 'Content-Type', 'content-length'];

function randomList(random: Random): string[] {
  return Array.from({ length: random.below(6) }, (_, at) => [random.pick(NAMES), `v${at}`]).flat();
}

function pairsOf(list: readonly string[]): [string, string][] {
  return list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]!]] : [])) as [
    string,
    string,
  ][];
}

describe('valueOf', () => {
  it.each([
    [[], 'etag', undefined],
    [['ETag', '"a"'], 'etag', '"a"'],
    [['X-A', '', 'X-B', '1'], 'x-a', ''],
    [['X-A', '1', 'x-a', '2'], 'x-a', '1'],
    // A value that spells a name is no name.
    [['X-A', 'etag', 'X-B', '1'], 'etag', undefined],
    [['X-AB', '1'], 'x-a', undefined],
  ])('of %j, %s is %j', (list, name, value) => {
    expect(valueOf(list, name)).toBe(value);
  });
});

describe('joinLines', () => {
  it(`has one line for each header but Set-Cookie, with all values in their order, seed ${seed}`, () => {
    const random = new Random(seed);
    for (let i = 0; i < 2_000; i++) {
      const list = randomList(random);
      if (random.below(4) === 0) list.push('Set-Cookie', 'a=1', 'set-cookie', 'b=2');
      const before = [...list];
      const expected = new Map<string, string>();
      for (const [at, [name, value]] of pairsOf(list).entries()) {
        const key = name.toLowerCase() === 'set-cookie' ? `${at}` : name.toLowerCase();
        const earlier = expected.get(key);
        expected.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
      }
      const joined = joinLines(list);
      const about = JSON.stringify(list);
      expect(list).toEqual(before);
      expect(
        pairsOf(joined).map(([, value]) => value),
        about,
      ).toEqual([...expected.values()]);
      expect(joined === list, about).toBe(joined.length === list.length);
    }
  });

  it('names a header as in its first line', () => {
    const list = ['Link', '</a>', 'ETag', '"a"', 'link', '</b>', 'LINK', '</c>'];
    expect(joinLines(list)).toEqual(['Link', '</a>, </b>, </c>', 'ETag', '"a"']);
  });
});

describe('withHeader', () => {
  it.each([
    [[], 'ETag', ['ETag', 'new']],
    [['X-A', '1'], 'ETag', ['X-A', '1', 'ETag', 'new']],
    [['etag', '1', 'X-A', '2'], 'ETag', ['etag', 'new', 'X-A', '2']],
    [['X-A', '1', 'X-B', '2', 'x-a', '3'], 'X-A', ['X-A', 'new', 'X-B', '2']],
    [['X-A', 'X-B'], 'X-B', ['X-A', 'X-B', 'X-B', 'new']],
  ])('sets in %j the header %s', (list, name, expected) => {
    const before = [...list];
    expect(withHeader(list, name, 'new')).toEqual(expected);
    expect(list).toEqual(before);
  });

  it(`sets one header and leaves the others in their order, seed ${seed}`, () => {
    const random = new Random(seed);
    for (let i = 0; i < 2_000; i++) {
      const list = randomList(random);
      const name = random.pick(NAMES);
      const isOther = ([other]: [string, string]): boolean =>
        other.toLowerCase() !== name.toLowerCase();
      const set = withHeader(list, name, 'new');
      const about = `${name} in ${JSON.stringify(list)}`;
      expect(pairsOf(set).filter(isOther), about).toEqual(pairsOf(list).filter(isOther));
      const own = pairsOf(set).filter((pair) => !isOther(pair));
      expect(
        own.map(([, value]) => value),
        about,
      ).toEqual(['new']);
      expect(valueOf(set, name.toLowerCase()), about).toBe('new');
    }
  });
});

describe('toNotModifiedHeaders', () => {
  it.each([
    // RFC 9110 section 15.4.5: a 304 must have these where the 200 has them.
    ...['Cache-Control', 'Content-Location', 'Date', 'ETag', 'Expires', 'Vary'],
    // Of the page, not of its bytes: a browser keeps to the newest.
    ...['Content-Security-Policy', 'content-security-policy-report-only', 'Set-Cookie', 'Link'],
    ...['CDN-Cache-Control', 'X-Content-Type-Options'],
  ])('RFC 9110 section 15.4.5: a 304 keeps %s', (name) => {
    expect(toNotModifiedHeaders([name, '1', 'X-A', '2'])).toEqual([name, '1', 'X-A', '2']);
  });

  it.each([
    ...['Content-Type', 'content-length', 'CONTENT-ENCODING', 'Content-Language', 'Content-Range'],
    ...['Content-Disposition', 'Accept-Ranges', 'Last-Modified'],
  ])('RFC 9110 section 15.4.5: a 304 has no %s', (name) => {
    expect(toNotModifiedHeaders(['X-A', '1', name, '2', 'X-B', name])).toEqual([
      ...['X-A', '1', 'X-B', name],
    ]);
  });
});

describe('addVary', () => {
  it.each([
    [undefined, 'Cookie', 'Cookie'],
    ['', 'Cookie', 'Cookie'],
    [' \t', 'Cookie', 'Cookie'],
    ['Accept-Encoding', 'Cookie', 'Accept-Encoding, Cookie'],
    ['Cookie', 'Cookie', 'Cookie'],
    ['accept-encoding,COOKIE', 'Cookie', 'accept-encoding,COOKIE'],
    ['Cookie-Consent', 'Cookie', 'Cookie-Consent, Cookie'],
    ['*', 'Cookie', '*'],
    ['Accept, *', 'Cookie', 'Accept, *'],
    // `*` within a name does not stand for all.
    ['X-*', 'Cookie', 'X-*, Cookie'],
  ])('RFC 9110 section 12.5.5: to `%s` %s is added as `%s`', (vary, name, expected) => {
    expect(addVary(vary, name)).toBe(expected);
    expect(addVary(expected, name)).toBe(expected);
  });
});
