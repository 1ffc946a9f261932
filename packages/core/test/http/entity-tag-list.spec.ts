import { expect, it } from 'vitest';
import { listsTag } from '../../src/http/entity-tag-list.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { elementsOf, ENTITY_TAG, follows, listOf } from './grammar.ts';
import { randomText } from './random-text.ts';

it.each([
  ['W/"1"', 'W/"1"', false, true],
  ['W/"1"', 'W/"2"', false, false],
  ['W/"1"', '"1"', false, true],
  ['"1"', '"1"', true, true],
  // The comparison does not depend on the side.
  ['"1"', 'W/"1"', false, true],
])('RFC 9110 section 8.8.3.2: %s and %s, strong: %s, weak: %s', (a, b, strong, weak) => {
  expect(listsTag(a, b, true)).toBe(strong);
  expect(listsTag(a, b)).toBe(weak);
});

it.each([
  // Sections 13.1.1 and 13.1.2: their examples.
  ['"xyzzy"', true, true],
  ['"xyzzy", "r2d2xxxx", "c3piozzzz"', true, true],
  ['"r2d2xxxx", "xyzzy"', true, true],
  ['W/"xyzzy"', false, true],
  ['W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"', false, true],
  ['*', true, true],
  [' *\t', true, true],
  // A weak tag does not hide the strong one after it.
  ['W/"xyzzy", "xyzzy"', true, true],
  // Empty elements (section 5.6.1.2), and no white space at all.
  [',, ,"a",,"xyzzy",', true, true],
  ['"a","xyzzy"', true, true],
  // Commas and the other tag's beginning stand inside a tag.
  ['"a,b", "xyzzy"', true, true],
  ['"a, W/b"\t,\t"xyzzy"', true, true],
  ['', false, false],
  [' ', false, false],
  [',', false, false],
  ['xyzzy', false, false],
  ['"xyzz"', false, false],
  ['"xyzzyy"', false, false],
  ['"XYZZY"', false, false],
  ['"xyzzy', false, false],
  ['xyzzy"', false, false],
  ["'xyzzy'", false, false],
  ['"*"', false, false],
  ['**', false, false],
  ['*, "a"', false, false],
  // No escapes in tags (section 8.8.3): a backslash is a character.
  ['"\\xyzzy"', false, false],
  ['"xyzzy\\"', false, false],
  ['"" xyzzy ""', false, false],
  // `W/` is case-sensitive: this is no weak tag, and no strong one either by the grammar.
  ['w/"xyzzy"', true, true],
])('RFC 9110 section 13.1: %j lists "xyzzy", strong: %s, weak: %s', (header, strong, weak) => {
  expect(listsTag(header, '"xyzzy"', true)).toBe(strong);
  expect(listsTag(header, '"xyzzy"')).toBe(weak);
});

it.each(['""', '"a,b"', '"W/"', '"*"', '"\x80\xff"', '"!#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~"'])(
  'RFC 9110 section 8.8.3: the tag %s is found among others',
  (etag) => {
    expect(listsTag(etag, etag, true)).toBe(true);
    expect(listsTag(`"x", ${etag}, "y"`, etag, true)).toBe(true);
    expect(listsTag('"x", "y"', etag)).toBe(false);
  },
);

/** The lists of RFC 9110, element by element. */
function oracle(header: string, etag: string, strong: boolean): boolean {
  const opaque = etag.replace(/^W\//, '');
  return elementsOf(header, ENTITY_TAG).some(([tag]) =>
    strong ? tag === etag && !tag.startsWith('W/') : tag.replace(/^W\//, '') === opaque,
  );
}

const PIECES = ['"', '"a"', '"b"', 'W/', 'W/"a"', '""', ',', ', ', ' ', '\t', 'a', '*', '\\', '/'];
const TAGS = ['"a"', 'W/"a"', '""', '"b"', 'W/""', '","', '"a,"'];

it(`lists are read as the grammar says, and what is none matches only what it holds, seed ${seed}`, () => {
  const random = new Random(seed);
  let lists = 0;
  for (let i = 0; i < 30_000; i++) {
    const header = randomText(random, PIECES, 8);
    const etag = random.pick(TAGS);
    const strong = random.chance(0.5);
    const actual = listsTag(header, etag, strong);
    const about = `${strong ? 'strong' : 'weak'} ${etag} in ${JSON.stringify(header)}`;
    if (follows(header, listOf(ENTITY_TAG))) {
      lists++;
      if (actual !== oracle(header, etag, strong)) expect.fail(about);
    } else if (actual && !header.includes(etag.replace(/^W\//, '')) && header.trim() !== '*') {
      expect.fail(about);
    }
    if (strong && actual && etag.startsWith('W/') && header.trim() !== '*') expect.fail(about);
  }
  expect(lists).toBeGreaterThan(1_000);
});
