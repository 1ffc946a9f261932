import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, listMembers, onlySeen } from '../expectations.ts';
import { expectHit, expectStored } from '../stored-expectations.ts';

/** Which requests get the same stored page: path, query, language, and the rule of its route. */
export const storedPageKeys = caseFile({ file: 'stored pages', core: true }, (add) => {
  const profile = { profile: 'stored pages' } as const;

  add(
    'a page that varies by the names of what every object has is stored as any other',
    async ({ get }) => {
      const target = '/stored/odd-vary/1';
      expectStored(await get(target));
      expectHit(await get(target));
    },
    profile,
  );

  const OTHER_NAMES = [
    '/',
    ';x=1',
    ';x=1/',
    ';',
    '/index.html',
    '/index%2ehtml',
    '(other)',
    '//other',
    ')',
  ];
  add(
    'a page that a rule keeps out of the store is kept out by all names Angular has for it',
    async ({ get, engine }) => {
      const targets = OTHER_NAMES.map((name) => `/stored/page/account${name}`);
      targets.push('/stored/page/%61ccount', '/stored/page;x=1/account', '/stored/page/(account)');
      for (const target of targets) {
        const before = engine.renders();
        for (let i = 0; i < 2; i++) {
          expect(listMembers(await get(target), 'cache-status').join(), target).not.toMatch(
            /stored|hit/,
          );
        }
        expect(engine.renders(), target).toBe(before + 2);
      }
    },
    { ...profile, parity: false, core: false },
  );

  add(
    'languages are pages of their own',
    async ({ get, engine }) => {
      const target = '/stored/greeting/page';
      const ask = (language: string) => get(target, { 'accept-language': language });
      expectStored(await get(target), 1);
      expectStored(await ask('de'), 2);
      for (const [language, spoken, render] of [
        ['de-CH, de;q=0.9, en;q=0.1', 'de', 2],
        ['en-GB', 'en', 1],
        ['fr', 'en', 1],
      ] as const) {
        const response = await ask(language);
        expectHit(response, render);
        expect(decodedBody(response).toString()).toContain(`Hello in ${spoken} at`);
        const varies = ['accept-encoding', 'accept-language'];
        expect(listMembers(response, 'vary').sort()).toEqual(varies);
      }
      expect(engine.renders()).toBe(2);
    },
    { ...profile, core: false },
  );

  add(
    "queries are pages of their own, campaigns' parameters are not",
    async ({ get, engine }) => {
      const target = '/stored/page/query';
      for (const query of ['', '?a=1', '?a=2', '?b=1']) expectStored(await get(target + query));
      for (const query of ['?utm_source=x', '?a=1&utm_medium=y', '?gclid=z&a=2', '?b=1&fbclid=']) {
        expectHit(await get(target + query));
      }
      const alone = await get('/stored/page/campaign?utm_source=x&a=%20b');
      expectStored(alone);
      expect(engine.seen.filter(({ url }) => /utm|clid/.test(url))).toEqual([]);
      expectHit(await get('/stored/page/campaign?a=%20b'));
    },
    profile,
  );

  add(
    'a stored redirect keeps the parameters that it was not asked with',
    async ({ get, engine }) => {
      for (const query of ['utm_source=x', 'utm_source=y&gclid=z']) {
        const response = await get(`/stored/moved/campaign?${query}`);
        expect(headerLines(response, 'location')).toEqual([`/stored/page/new?${query}`]);
      }
      expect(engine.renders()).toBe(1);
    },
    profile,
  );

  // A route that a rule declares shared.
  add(
    "a shared route's page knows nothing of its visitor",
    async ({ get, engine }) => {
      const headers = {
        cookie: 'session=alice',
        authorization: 'Bearer alice',
        'x-user': 'alice',
        'accept-language': 'de',
      };
      const first = await get('/stored/shared/list?sort=up&page=2', headers);
      expect(headerOf(first, 'cache-status')).toBe('ng-ssr; fwd=uri-miss; stored');
      const { url, headers: seen } = onlySeen(engine);
      expect(url).toMatch(/\/stored\/shared\/list\?page=2$/);
      expect(seen).toMatchObject({ 'accept-language': 'de' });
      for (const name of ['cookie', 'authorization', 'x-user']) {
        expect(seen).not.toHaveProperty(name);
      }
      const others = { cookie: 'session=bob', 'accept-language': 'de-AT' };
      const second = await get('/stored/shared/list?page=2&utm_source=x', others);
      expect(headerOf(second, 'cache-status')).toMatch(/^ng-ssr; hit; ttl=\d+$/);
      expect(second.body.equals(first.body)).toBe(true);
      expect(headerOf(second, 'cache-control')).toBe(
        'public, max-age=0, s-maxage=60, stale-while-revalidate=30',
      );
      expect(listMembers(second, 'vary')).toContain('accept-language');
      await get('/stored/shared/list?page=2');
      await get('/stored/shared/list?page=3', others);
      expect(engine.renders()).toBe(3);
    },
    { ...profile, core: false },
  );
});
