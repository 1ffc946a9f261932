import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PageServerOptions } from './page-server-contract.ts';
import { says, ServerProcess } from './server-process.ts';

/** A store that two processes share. */
export interface SharedStore {
  /** The option of their servers. */
  readonly options: Pick<PageServerOptions, 'redis' | 'sqlite'>;
  /** Sets its clock ahead, if it has one of its own. */
  age(seconds: number): Promise<void>;
  /** How many leases processes hold. */
  heldLeases(): Promise<number>;
  /** How many pages it has of a path. */
  pagesOf(path: string): Promise<number>;
  stop(): Promise<void>;
}

const FRESH = 's-maxage=60';
const MISS = 'fwd=uri-miss; stored';
const HIT = /^hit; ttl=[1-9]\d*$/;
/** Purged in this very millisecond, it has been stale for none. */
const STALE = /^hit; ttl=(0|-\d+)$/;
const POLL = { timeout: 30_000 };

/*
 * What a site's visitors and its operator can tell of stored pages: the same whatever the store, but
 * for what one process has from the other.
 */
/** @param startStore - Undefined: each process has its own memory alone. */
export function defineStoredPagesSuite(
  name: string,
  startStore: (() => Promise<SharedStore>) | undefined,
): void {
  describe(`stored pages in ${name}`, () => {
    const isShared = startStore !== undefined;
    let shared: SharedStore | undefined;
    let one: ServerProcess;
    let other: ServerProcess;
    let clockAheadMs = 0;

    const start = (): Promise<ServerProcess> =>
      ServerProcess.start({
        clockAheadMs,
        ...shared?.options,
        routeRules: { '/never/**': { cache: false } },
      });

    beforeAll(async () => {
      shared = await startStore?.();
      [one, other] = await Promise.all([start(), start()]);
      if (isShared) await vi.waitFor(expectShared, POLL);
    });
    afterEach(async () => {
      await Promise.all([one, other].flatMap((server) => [server?.release(), server?.mend()]));
    });
    afterAll(async () => {
      await Promise.all([one?.stop(), other?.stop()]);
      await shared?.stop();
    });

    let pages = 0;
    async function expectShared(): Promise<void> {
      const target = says(`/connected/${pages++}`, { 'cache-control': FRESH });
      const first = await one.ask(target);
      expect((await other.ask(target)).page).toEqual(first.page);
    }

    async function advance(seconds: number): Promise<void> {
      // What comes to the store after the answer is as old as the answer.
      await untilStored();
      clockAheadMs += seconds * 1000;
      await Promise.all([one.advance(seconds), other.advance(seconds), shared?.age(seconds)]);
    }

    /** Until the store has the pages rendered so far, for which no answer waits. */
    async function untilStored(): Promise<void> {
      await vi.waitFor(async () => {
        expect((await shared?.heldLeases()) ?? 0).toBe(0);
      }, POLL);
    }

    const rendersOf = async (path: string): Promise<number> => {
      const states = await Promise.all([one.state(path), other.state(path)]);
      return states.reduce((sum, { renders }) => sum + renders, 0);
    };

    test('a page is rendered once and is a hit until its time is over', async () => {
      const target = says('/fresh', { 'cache-control': FRESH });
      const first = await one.ask(target);
      expect(first).toMatchObject({ status: 200, cache: MISS });
      await advance(20);
      const second = await one.ask(target);
      expect(second.text).toBe(first.text);
      expect(second.headers.etag).toBe(first.headers.etag);
      expect(second.headers.age).toMatch(/^2[0-9]$/);
      expect(second.cache).toMatch(/^hit; ttl=(40|3\d)$/);
      await advance(40);
      const third = await one.ask(target);
      expect(third.cache).toBe('fwd=stale; stored');
      expect(third.page.render).toBeGreaterThan(first.page.render);
    });

    test('the other process has its page from the store, or renders its own', async () => {
      const target = says('/others', { 'cache-control': FRESH });
      const first = await one.ask(target);
      await untilStored();
      await advance(20);
      const second = await other.ask(target);
      if (isShared) {
        expect(second.page).toEqual(first.page);
        expect(second.cache).toMatch(/^hit; ttl=(40|3\d)$/);
        expect(second.headers.age).toMatch(/^2[0-9]$/);
        expect(second.headers.etag).toBe(first.headers.etag);
      } else {
        expect(second).toMatchObject({ cache: MISS, page: { pid: other.pid } });
      }
      expect(await rendersOf('/others')).toBe(isShared ? 1 : 2);
    });

    test('stale-while-revalidate: the old page, then the new one', async () => {
      const target = says('/revalidated', {
        'cache-control': `${FRESH}, stale-while-revalidate=600`,
      });
      const first = await one.ask(target);
      await untilStored();
      await other.ask(target);
      const before = await rendersOf('/revalidated');
      await advance(70);
      const second = await one.ask(target);
      expect(second.page).toEqual(first.page);
      expect(second.cache).toMatch(STALE);
      await vi.waitFor(async () => {
        const next = await one.ask(target);
        expect(next.cache).toMatch(HIT);
        expect(next.page.render).toBeGreaterThan(first.page.render);
      }, POLL);
      await untilStored();
      // The other finds the page that the first has rendered again.
      await vi.waitFor(async () => {
        expect((await other.ask(target)).cache).toMatch(HIT);
      }, POLL);
      expect(await rendersOf('/revalidated')).toBe(before + (isShared ? 1 : 2));
    });

    test('stale-if-error: the old page while renders fail, and a 500 after its time', async () => {
      const target = says('/failing', { 'cache-control': `${FRESH}, stale-if-error=600` });
      const first = await one.ask(target);
      await one.fail('/failing');
      await advance(70);
      for (let count = 0; count < 2; count++) {
        const second = await one.ask(target);
        expect(second).toMatchObject({ status: 200, page: first.page });
        expect(second.cache).toMatch(STALE);
      }
      expect((await one.state()).errors).toContain('NG_SSR_REFRESH_FAILED');
      await advance(660);
      expect(await one.ask(target)).toMatchObject({ status: 500 });
      await one.mend();
      expect(await one.ask(target)).toMatchObject({ status: 200, cache: 'fwd=stale; stored' });
    });

    test('Vary: variants of one page', async () => {
      const target = says('/variants', {
        'cache-control': FRESH,
        vary: 'X-Currency, X-Market',
        echo: 'x-currency,x-market',
      });
      const requests = [
        {},
        { 'x-currency': 'EUR' },
        { 'x-currency': 'CHF' },
        { 'x-market': 'EUR' },
        { 'x-currency': '' },
      ];
      for (const headers of requests) {
        const first = await one.ask(target, { headers });
        expect(first.page.seen).toEqual(headers);
        expect(first.cache).toMatch(/^fwd=(uri|vary)-miss; stored$/);
      }
      await untilStored();
      for (const headers of [...requests].reverse()) {
        for (const server of [one, other]) {
          const { page, cache } = await server.ask(target, { headers });
          expect(page.seen).toEqual(headers);
          if (server === one || isShared) expect(cache).toMatch(HIT);
        }
      }
      expect(await rendersOf('/variants')).toBe(requests.length * (isShared ? 1 : 2));
    });

    const purges = (['soft', 'hard'] as const).flatMap((strength) => [
      { strength, purge: { path: `/purged/path/${strength}` } },
      { strength, purge: { prefix: `/purged/prefix/${strength}` } },
      { strength, purge: { tag: `purged-tag-${strength}` } },
    ]);
    test.each(purges)('$strength purge: $purge', async ({ strength, purge }) => {
      const hard = strength === 'hard';
      const kind = Object.keys(purge)[0]!;
      const path = `/purged/${kind}/${strength}`;
      const query = { 'cache-control': `${FRESH}, stale-while-revalidate=600` };
      const target = says(path, { ...query, 'cache-tag': `news, purged-${kind}-${strength}` });
      const untouched = says('/untouched', { ...query, strength, kind });
      const first = await one.ask(target);
      await untilStored();
      const second = await other.ask(target);
      await one.ask(untouched);
      expect(await one.purge({ ...purge, hard })).toMatchObject({ status: 200 });

      const own = await one.ask(target);
      if (hard) expect(own.cache).toBe(MISS);
      else expect(own.cache).toMatch(STALE);
      expect(own.text === first.text).toBe(!hard);
      if (!isShared) expect((await other.ask(target)).text).toBe(second.text);
      for (const server of isShared ? [one, other] : [one]) {
        await vi.waitFor(async () => {
          const { text, cache } = await server.ask(target);
          expect(text).not.toBe(first.text);
          expect(cache).toMatch(HIT);
        }, POLL);
        await untilStored();
      }
      expect((await one.ask(untouched)).cache).toMatch(HIT);
      expect(await rendersOf(path)).toBe(isShared ? 2 : 3);
    });

    test('a purge needs its token, and exactly one of path, prefix and tag', async () => {
      const target = says('/kept', { 'cache-control': FRESH });
      await one.ask(target);
      expect(await one.purge({ path: '/kept', tag: 'kept' })).toMatchObject({ status: 400 });
      expect(await one.ask('/-/purge', { method: 'POST' })).toMatchObject({ status: 401 });
      expect((await one.ask(target)).cache).toMatch(HIT);
    });

    test.each([
      { strength: 'soft', hard: false },
      { strength: 'hard', hard: true },
    ])(
      'a page that is purged ($strength) while it is rendered is not fresh',
      async ({ strength, hard }) => {
        // A path each: a process may still wait for the page that the other one has refreshed, and a hard purge would
        // have it render that page.
        const path = `/held/in-flight-${strength}`;
        const target = says(path, {
          'cache-control': `${FRESH}, stale-while-revalidate=600`,
        });
        const first = one.ask(target);
        await vi.waitFor(async () => expect((await one.state()).held).toBe(1), POLL);
        await (isShared ? other : one).purge({ path, hard });
        if (isShared) await untilHeard();
        await one.release();
        const { status, page } = await first;
        expect(status).toBe(200);
        const asked = [one.ask(target)];
        if (isShared) asked.push(other.ask(target));
        if (!hard) {
          for (const answer of await Promise.all(asked)) {
            expect(answer.page).toEqual(page);
            expect(answer.cache).toMatch(STALE);
          }
        }
        // Either way, one process renders it again.
        const holds = async (): Promise<number> => {
          const states = await Promise.all([one.state(), other.state()]);
          return states.reduce((sum, { held }) => sum + held, 0);
        };
        await vi.waitFor(async () => expect(await holds()).toBe(1), POLL);
        await Promise.all([one.release(), other.release()]);
        await Promise.all(asked);
        await vi.waitFor(async () => {
          const next = await one.ask(target);
          expect(next.cache).toMatch(HIT);
          expect(next.page).not.toEqual(page);
        }, POLL);
      },
    );

    /** Until the first process has heard of all purges that the other has made so far. */
    async function untilHeard(): Promise<void> {
      const target = says(`/heard/${pages++}`, { 'cache-control': FRESH });
      const first = await one.ask(target);
      await other.purge({ prefix: '/heard/', hard: true });
      await vi.waitFor(async () => {
        expect((await one.ask(target)).page).not.toEqual(first.page);
      }, POLL);
    }

    test.each([
      ['private', { 'cache-control': 'private, max-age=60' }],
      ['no-store', { 'cache-control': 'no-store' }],
      ['no-cache', { 'cache-control': 'no-cache, s-maxage=60' }],
      ['no-freshness', {}],
      ['set-cookie', { 'cache-control': FRESH, 'set-cookie': 'a=b' }],
      ['vary-star', { 'cache-control': FRESH, vary: '*' }],
      ['status', { 'cache-control': FRESH, status: '503' }],
      ['authorization', { 'cache-control': 'max-age=60' }],
      ['request-no-store', { 'cache-control': FRESH }],
      ['rule', { 'cache-control': FRESH }],
    ])('a page that is not stored has the reason: %s', async (reason, query) => {
      const path = reason === 'rule' ? '/never/rule' : `/not-stored/${reason}`;
      const target = says(path, query);
      const headers: Record<string, string> = {};
      if (reason === 'authorization') headers['authorization'] = 'Bearer a';
      if (reason === 'request-no-store') headers['cache-control'] = 'no-store';
      for (const server of [one, other, one, other]) {
        const { cache, headers: received } = await server.ask(target, { headers });
        expect(cache).toMatch(/^fwd=(uri-miss|bypass); detail=/);
        expect(cache.split('detail=')[1]).toBe(reason);
        expect(received).not.toHaveProperty('age');
      }
      expect(await rendersOf(path)).toBe(4);
      expect((await shared?.pagesOf(path)) ?? 0).toBe(0);
    });

    test.each([404, 410])(
      'a %i is stored in each process, and not in the store',
      async (status) => {
        const path = `/missing/${status}`;
        const target = says(path, { 'cache-control': FRESH, status: String(status) });
        for (const server of [one, other]) {
          expect(await server.ask(target)).toMatchObject({ status, cache: MISS });
          const second = await server.ask(target);
          expect(second.status).toBe(status);
          expect(second.cache).toMatch(HIT);
        }
        expect(await rendersOf(path)).toBe(2);
        expect((await shared?.pagesOf(path)) ?? 0).toBe(0);
      },
    );

    test('a process that restarts has the earlier pages with their age, or none', async () => {
      const query = { 'cache-control': FRESH, 'cache-tag': 'lasting' };
      const [target, purged] = [says('/lasting/kept', query), says('/lasting/purged', query)];
      const first = await one.ask(target);
      await one.ask(purged);
      await untilStored();
      expect((await one.purge({ path: '/lasting/purged', hard: true })).status).toBe(200);
      await advance(25);
      await one.stop();
      one = await start();
      if (isShared) await vi.waitFor(expectShared, POLL);
      const second = await one.ask(target);
      if (isShared) {
        expect(second.page).toEqual(first.page);
        // A busy machine takes its time for the start of a process.
        const age = Number(second.headers.age);
        expect(age).toBeGreaterThanOrEqual(25);
        // Both are rounded down.
        expect([`hit; ttl=${60 - age}`, `hit; ttl=${59 - age}`]).toContain(second.cache);
        expect(second.headers.etag).toBe(first.headers.etag);
      } else {
        expect(second).toMatchObject({ cache: MISS, page: { pid: one.pid } });
      }
      expect((await one.ask(purged)).page.pid).toBe(one.pid);
      expect(await rendersOf('/lasting/purged')).toBe(1);
      await advance(70);
      expect((await one.ask(target)).cache).toBe('fwd=stale; stored');
    });
  });
}
