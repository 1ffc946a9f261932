import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectNotModified, expectWhole, onlySeen, opaqueTag, strongTag } from '../expectations.ts';
import { CACHED_TAG } from '../stub-pages.ts';

const OTHER = '"another-tag"';
const PAST = 'Sat, 01 Jan 2000 00:00:00 GMT';
const FUTURE = 'Fri, 01 Jan 2100 00:00:00 GMT';

/** Makes If-None-Match headers that match a tag (RFC 9110 section 13.1.2: weak comparison). */
const MATCHING: Readonly<Record<string, (tag: string) => string>> = {
  'the tag': (tag) => tag,
  'the weak form of the tag': (tag) => `W/${tag}`,
  'a list that ends with the tag': (tag) => `${OTHER}, ${tag}`,
  'a list that begins with the tag': (tag) => `${tag},${OTHER}`,
  'a list with the weak form': (tag) => `W/${OTHER} , W/${tag}`,
  'a list with empty members': (tag) => `,, ${tag} ,`,
  'a list with a comma inside a tag': (tag) => `"a,b", ${tag}`,
  'an asterisk': () => '*',
};

/** Frameworks compare tags themselves: these two, and one that does not match, show that they leave it to the core. */
const OF_BOTH_STRENGTHS = new Set(['the tag', 'the weak form of the tag']);

/** If-None-Match headers that do not match. */
const DIFFERING: Readonly<Record<string, (tag: string) => string>> = {
  'another tag': () => OTHER,
  'the tag without quotes': (tag) => tag.slice(1, -1),
  'the beginning of the tag': (tag) => `${tag.slice(0, -2)}"`,
  'a longer tag': (tag) => `${tag.slice(0, -1)}x"`,
  'the tag inside another': (tag) => `"x, ${tag.slice(1, -1)}"`,
  'a quoted asterisk': () => '"*"',
  nothing: () => '',
};

/** Invalid dates (RFC 9110 section 5.6.7). */
const MALFORMED_DATES = ['yesterday', '0', '2100-01-01T00:00:00Z', '', `${FUTURE}, ${FUTURE}`];

/** Conditional requests. */
export const preconditions = caseFile({ file: 'preconditions', core: true }, (add) => {
  const resources = {
    'a prerendered page': '/about',
    'a file': '/main-ABCDEFG2.js',
    'a rendered page': '/rendered',
  };
  for (const [resource, target] of Object.entries(resources)) {
    for (const [label, value] of Object.entries(MATCHING)) {
      add(
        `If-None-Match with ${label} is a 304 (${resource})`,
        async ({ get }) => {
          const whole = await get(target);
          const response = await get(target, { 'if-none-match': value(opaqueTag(whole)) });
          expectNotModified(response, whole);
        },
        { core: !OF_BOTH_STRENGTHS.has(label) },
      );
    }
    for (const [label, value] of Object.entries(DIFFERING)) {
      add(
        `If-None-Match with ${label} is a 200 (${resource})`,
        async ({ get }) => {
          const whole = await get(target);
          const response = await get(target, { 'if-none-match': value(opaqueTag(whole)) });
          expectWhole(response, whole.body, target === '/rendered' ? 'weak' : 'strong');
        },
        { core: label !== 'another tag' },
      );
    }
  }

  add(
    "a 304 repeats the route's Cache-Control",
    async ({ get }) => {
      const whole = await get('/guide');
      const response = await get('/guide', { 'if-none-match': strongTag(whole) });
      expectNotModified(response, whole);
      expect(headerOf(response, 'cache-control')).toBe('public, max-age=300');
    },
    { core: false },
  );

  add(
    'a 304 to an encoded request has the encoded tag',
    async ({ get }) => {
      const headers = { 'accept-encoding': 'br' };
      const whole = await get('/about', headers);
      const response = await get('/about', { ...headers, 'if-none-match': strongTag(whole) });
      expectNotModified(response, whole);
      expect(headerOf(response, 'content-encoding')).toBeUndefined();
    },
    { core: false },
  );

  add('a tag of another encoding is a 200', async ({ get, site }) => {
    const identity = strongTag(await get('/about'));
    const encoded = strongTag(await get('/about', { 'accept-encoding': 'br' }));
    const bytes = site.read('about/index.html');
    const wantsEncoded = { 'accept-encoding': 'br', 'if-none-match': identity };
    expectWhole(await get('/about', wantsEncoded), bytes);
    expectWhole(await get('/about', { 'if-none-match': encoded }), bytes);
  });

  add(
    "the tag of a rendered page may be the application's",
    async ({ get }) => {
      const target = '/cached?tag';
      const whole = await get(target);
      expectNotModified(await get(target, { 'if-none-match': CACHED_TAG }), whole);
    },
    { core: false },
  );

  add(
    'a no-store page is always sent',
    async ({ get }) => {
      for (const target of ['/private', '/nostore']) {
        const response = await get(target, { 'if-none-match': OTHER });
        expect(response.status).toBe(200);
        expect(response.body.length).toBeGreaterThan(0);
      }
    },
    { core: false },
  );

  add(
    'a rendered answer other than 200 is never a 304',
    async ({ get }) => {
      const headers = { 'if-none-match': '*', 'if-modified-since': FUTURE };
      expect((await get('/missing', headers)).status).toBe(404);
      expect((await get('/old', headers)).status).toBe(302);
      expect((await get('/boom', headers)).status).toBe(500);
    },
    { core: false },
  );

  for (const [resource, target] of [
    ['a page', '/about'],
    ['a file', '/robots.txt'],
  ] as const) {
    add(
      `If-Modified-Since with the Last-Modified date is a 304 (${resource})`,
      async ({ get }) => {
        const whole = await get(target);
        const date = headerOf(whole, 'last-modified');
        expect(date).toBeDefined();
        expectNotModified(await get(target, { 'if-modified-since': date ?? '' }), whole);
        expectNotModified(await get(target, { 'if-modified-since': FUTURE }), whole);
      },
      { core: false },
    );

    add(`If-Modified-Since with an older date is a 200 (${resource})`, async ({ get }) => {
      expect((await get(target, { 'if-modified-since': PAST })).status).toBe(200);
    });
  }

  for (const date of MALFORMED_DATES) {
    add(
      `If-Modified-Since ${JSON.stringify(date)} is ignored`,
      async ({ get }) => {
        expect((await get('/about', { 'if-modified-since': date })).status).toBe(200);
      },
      // The freshness checks of frameworks use Date.parse, which takes this one.
      { core: date !== '2100-01-01T00:00:00Z' },
    );
  }

  add('If-None-Match wins over If-Modified-Since', async ({ get }) => {
    const whole = await get('/about');
    const differs = { 'if-none-match': OTHER, 'if-modified-since': FUTURE };
    expectWhole(await get('/about', differs), whole.body);
    const matches = { 'if-none-match': strongTag(whole), 'if-modified-since': PAST };
    expectNotModified(await get('/about', matches), whole);
  });

  add(
    'If-Match with another tag is a 412',
    async ({ get }) => {
      const response = await get('/about', { 'if-match': OTHER });
      expect(response.status).toBe(412);
      expect(response.body.includes('ng-server-context')).toBe(false);
    },
    { core: false },
  );

  add('If-Match with the weak form of the tag is a 412', async ({ get }) => {
    const tag = strongTag(await get('/about'));
    expect((await get('/about', { 'if-match': `W/${tag}` })).status).toBe(412);
  });

  add('If-Match with the tag, a list or an asterisk is a 200', async ({ get }) => {
    const whole = await get('/about');
    const tag = strongTag(whole);
    for (const value of [tag, `${OTHER}, ${tag}`, '*']) {
      expectWhole(await get('/about', { 'if-match': value }), whole.body);
    }
  });

  add('If-Unmodified-Since with an older date is a 412', async ({ get }) => {
    expect((await get('/about', { 'if-unmodified-since': PAST })).status).toBe(412);
    expect((await get('/about', { 'if-unmodified-since': FUTURE })).status).toBe(200);
  });

  add('If-Match is looked at before If-None-Match', async ({ get }) => {
    const tag = strongTag(await get('/about'));
    const headers = { 'if-match': OTHER, 'if-none-match': tag };
    expect((await get('/about', headers)).status).toBe(412);
  });

  add(
    'the engine never sees a precondition',
    async ({ get, engine }) => {
      const headers = {
        'if-none-match': OTHER,
        'if-modified-since': PAST,
        'if-unmodified-since': FUTURE,
        'if-range': OTHER,
        range: 'bytes=0-9',
      };
      await get('/echo', headers);
      const seen = Object.keys(onlySeen(engine).headers);
      for (const name of Object.keys(headers)) expect(seen).not.toContain(name);
    },
    { core: false },
  );

  add(
    'the engine does not see If-Match',
    async ({ get, engine }) => {
      await get('/echo', { 'if-match': '*' });
      expect(onlySeen(engine).headers).not.toHaveProperty('if-match');
    },
    { core: false },
  );
});
