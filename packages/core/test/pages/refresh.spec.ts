import { afterEach, expect, it, vi } from 'vitest';
import {
  type Refresh,
  type SsrOptions,
  type StoredPage,
  withSharedStore,
  withSlots,
} from '@ng-ssr/core';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { Shelf } from '../features/shared-store/fake-page-store.ts';
import { advance, turn, until, useClock } from './clock.ts';
import { html, type Page, storedServer, type StoredServer } from './stored-server.ts';

useClock();
afterEach(() => vi.useRealTimers());

const ORIGIN = 'http://localhost';
const SHARED = { 'cache-control': 's-maxage=60' };
const NOTHING = { refreshed: 0, failed: [], notStored: [], skipped: [] };

/** An engine whose renders end when the test says so. */
class Renders {
  data = 'old';
  headers: Readonly<Record<string, string>> = SHARED;
  status = 200;
  isHeld = false;
  running = 0;
  most = 0;
  readonly #held: (() => void)[] = [];

  readonly page: Page = async ({ url, headers }) => {
    const { data } = this;
    this.most = Math.max(this.most, ++this.running);
    if (this.isHeld) await new Promise<void>((resolve) => this.#held.push(resolve));
    else await turn();
    this.running--;
    if (data === 'crack') throw new Error('cracked');
    const { pathname } = new URL(url);
    const shown = [data, pathname, headers.get('cookie'), headers.get('x-kind')].join(' ');
    return html(shown, { ...this.headers, 'cache-tag': `tag${pathname}` }, this.status);
  };

  /** Ends the renders that run, or as many of them, the first ones first. */
  land(count?: number): void {
    for (const end of this.#held.splice(0, count ?? this.#held.length)) end();
  }
}

function serving(options?: Partial<SsrOptions>): { renders: Renders; server: StoredServer } {
  const renders = new Renders();
  return { renders, server: storedServer(renders.page, options) };
}

it.each<Refresh>([
  { path: '/1' },
  { prefix: '/' },
  { tag: 'tag/1' },
  { urls: [`${ORIGIN}/1`, `${ORIGIN}/1`] },
])('%o renders a fresh page again, once', async (which) => {
  const { renders, server } = serving();
  await server.get('/1');
  renders.data = 'new';
  expect(await server.handler.cache.refresh(which)).toEqual({ ...NOTHING, refreshed: 1 });
  const seen = await server.get('/1');
  expect([seen.isHit, seen.text.includes('new /1'), server.requests.length]).toEqual([
    true,
    true,
    2,
  ]);
});

it('a page that is not cached is rendered for its URL alone', async () => {
  const { server } = serving();
  const { cache } = server.handler;
  expect(await cache.refresh({ path: '/1' })).toEqual(NOTHING);
  expect(await cache.refresh({ urls: [`${ORIGIN}/1?a=b`] })).toEqual({ ...NOTHING, refreshed: 1 });
  expect((await server.get('/1?a=b')).isHit).toBe(true);
  expect(server.requests).toHaveLength(1);
});

it('each query and variant is rendered with the values of its key', async () => {
  const { renders, server } = serving({
    cache: { languages: ['en', 'de'] },
    routeRules: {
      '/ruled': {
        sMaxAge: 60,
        vary: {
          query: ['page'],
          cookies: ['theme', 'size'],
          headers: ['accept-language', 'x-kind'],
        },
      },
    },
  });
  renders.headers = { ...SHARED, vary: 'x-kind' };
  const asked = [
    ['/ruled?page=2', { cookie: 'size=; user=ann', 'accept-language': 'de-AT', 'x-kind': 'a' }],
    ['/ruled', { cookie: 'theme=dark' }],
    ['/own?x=1', { 'x-kind': 'b' }],
    ['/own?x=1', {}],
  ] as const;
  for (const [target, headers] of asked) await server.get(target, headers);
  const first = server.requests.splice(0);
  renders.data = 'new';
  expect(await server.handler.cache.refresh({ prefix: '/' })).toEqual({ ...NOTHING, refreshed: 4 });
  const plain = (requests: readonly Request[]): unknown[] =>
    requests.map(({ url, headers }) => JSON.stringify([url, Object.fromEntries(headers)])).sort();
  const ownRequests = (requests: readonly Request[]): Request[] =>
    requests.filter(({ url }) => url.includes('/ruled'));
  expect(plain(ownRequests(server.requests))).toEqual(plain(ownRequests(first)));
  for (const [target, headers] of asked) {
    const { isHit, text } = await server.get(target, headers);
    expect([isHit, text.includes('new')], target).toEqual([true, true]);
  }
  expect(server.requests).toHaveLength(4);
});

it('visitors get the old page until the new one is there, and share its render if they wait', async () => {
  const { renders, server } = serving();
  await server.get('/1');
  Object.assign(renders, { isHeld: true, data: 'new' });
  const refreshed = server.handler.cache.refresh({ path: '/1' });
  await until(() => renders.running === 1);
  expect((await server.get('/1')).text).toContain('old');
  // The old page expires meanwhile.
  advance(61);
  const waiting = server.get('/1');
  await turn();
  renders.land();
  expect((await waiting).text).toContain('new');
  expect(await refreshed).toMatchObject({ refreshed: 1 });
  expect(server.requests).toHaveLength(2);
});

it('a render that began before the refresh does not count, one that began later does', async () => {
  const { renders, server } = serving();
  renders.isHeld = true;
  const first = server.get('/1');
  await until(() => renders.running === 1);
  renders.data = 'new';
  advance(1);
  const refreshed = server.handler.cache.refresh({ urls: [`${ORIGIN}/1`, `${ORIGIN}/2`] });
  await turn();
  renders.land();
  expect((await first).text).toContain('old');
  await until(() => renders.running === 1);
  // A visitor renders the second page before the refresh comes to it.
  advance(1);
  const second = server.get('/2');
  await until(() => renders.running === 2);
  renders.land(1);
  await until(() => renders.running === 1);
  for (let i = 0; i < 5; i++) await turn();
  renders.land();
  await second;
  expect(await refreshed).toEqual({ ...NOTHING, refreshed: 2 });
  expect((await server.get('/1')).text).toContain('new');
  const targets = server.requests.map(({ url }) => url.slice(ORIGIN.length));
  expect(targets).toEqual(['/1', '/1', '/2']);
});

it('a page that is purged during its refresh is not used', async () => {
  const { renders, server } = serving();
  const { cache } = server.handler;
  await server.get('/1');
  renders.isHeld = true;
  const refreshed = cache.refresh({ path: '/1' });
  await until(() => renders.running === 1);
  await cache.purge({ path: '/1', hard: true });
  renders.data = 'new';
  renders.land();
  expect(await refreshed).toEqual({ ...NOTHING, notStored: [`${ORIGIN}/1`] });
  renders.isHeld = false;
  expect((await server.get('/1')).text).toContain('new');
});

it('the old page stays if a render fails, and goes if the new one may not be cached', async () => {
  const { renders, server } = serving();
  const { cache } = server.handler;
  const url = `${ORIGIN}/1`;
  await server.get('/1');
  renders.data = 'crack';
  expect(await cache.refresh({ path: '/1' })).toEqual({ ...NOTHING, failed: [url] });
  expect(server.errors).toHaveLength(1);
  Object.assign(renders, { data: 'bad', status: 503 });
  expect(await cache.refresh({ path: '/1' })).toEqual({ ...NOTHING, failed: [url] });
  expect((await server.get('/1')).text).toContain('old');
  Object.assign(renders, { data: 'private', status: 200, headers: { 'set-cookie': 'a=b' } });
  expect(await cache.refresh({ path: '/1' })).toEqual({ ...NOTHING, notStored: [url] });
  expect((await server.get('/1')).isHit).toBe(false);
});

it.each([undefined, 3])(
  'as many concurrent renders as concurrency: %s allows',
  async (concurrency) => {
    const { renders, server } = serving();
    for (let i = 0; i < 10; i++) await server.get(`/${i}`);
    renders.isHeld = true;
    const refreshed = server.handler.cache.refresh({ prefix: '/', concurrency });
    for (let i = 0; i < 10; i++) {
      await until(() => renders.running === Math.min(concurrency ?? 1, 10 - i));
      for (let turns = 0; turns < 5; turns++) await turn();
      expect(renders.running).toBe(Math.min(concurrency ?? 1, 10 - i));
      renders.land(1);
    }
    expect(await refreshed).toEqual({ ...NOTHING, refreshed: 10 });
  },
);

it('visitors are rendered first', async () => {
  const { renders, server } = serving({ render: { concurrency: 1 } });
  await server.get('/0');
  renders.isHeld = true;
  const first = server.get('/1');
  await until(() => renders.running === 1);
  const refreshed = server.handler.cache.refresh({ path: '/0' });
  for (let turns = 0; turns < 5; turns++) await turn();
  const second = server.get('/2');
  await turn();
  for (const visit of [first, second]) {
    await until(() => renders.running === 1);
    renders.land();
    await visit;
  }
  await until(() => renders.running === 1);
  renders.land();
  expect(await refreshed).toEqual({ ...NOTHING, refreshed: 1 });
  const targets = server.requests.map(({ url }) => url.slice(ORIGIN.length));
  expect(targets).toEqual(['/0', '/1', '/2', '/0']);
});

it('closing ends it: the pages that were not begun are skipped', async () => {
  const { renders, server } = serving();
  for (const target of ['/1', '/2', '/3']) await server.get(target);
  renders.isHeld = true;
  const refreshed = server.handler.cache.refresh({ prefix: '/' });
  await until(() => renders.running === 1);
  const closed = server.handler.close();
  renders.land();
  const report = await refreshed;
  await closed;
  expect(report.skipped).toHaveLength(2);
  expect(server.requests).toHaveLength(4);
  expect(await server.handler.cache.refresh({ urls: [`${ORIGIN}/4`] })).toMatchObject({
    skipped: [`${ORIGIN}/4`],
  });
});

it('a refused host fails, and what is no cached page is not stored', async () => {
  const { server } = serving({ routeRules: { '/never': { cache: false } } });
  const urls = ['http://evil.example/', `${ORIGIN}/never`];
  expect(await server.handler.cache.refresh({ urls })).toEqual({
    ...NOTHING,
    failed: [urls[0]],
    notStored: [urls[1]],
  });
  const { server: uncached } = serving({ cache: false });
  expect(await uncached.handler.cache.refresh({ urls })).toEqual({ ...NOTHING, notStored: urls });
});

it('slots do not hinder it', async () => {
  const { renders, server } = serving({
    features: [withSlots({ user: { routes: ['/1'], fill: () => 'ann' } })],
  });
  await server.get('/1');
  renders.data = 'new';
  expect(await server.handler.cache.refresh({ path: '/1' })).toMatchObject({ refreshed: 1 });
  expect((await server.get('/1')).text).toContain('new');
});

it.each([
  undefined,
  {},
  '/1',
  { path: '1' },
  { path: '/1', tag: 'a' },
  { path: '/1', urls: [] },
  { path: '/1', hard: true },
  { urls: ['/1'] },
  { urls: 'http://localhost/1' },
  { path: '/1', concurrency: 0 },
])('%o is refused', async (which) => {
  const { server } = serving();
  const refused = server.handler.cache.refresh(which as Refresh);
  await expect(refused).rejects.toMatchObject({ code: 'NG_SSR_REFRESH_INVALID' });
});

/** Two servers with a store, each with an engine of its own. */
function sharing(...builds: readonly (string | undefined)[]): {
  shelf: Shelf;
  all: { renders: Renders; server: StoredServer }[];
} {
  const shelf = new Shelf();
  const all = builds.map((buildId) =>
    serving({ features: [withSharedStore(shelf.open(), { buildId })] }),
  );
  return { shelf, all };
}

it('the store has the new page when the refresh is over, although it had a fresh one', async () => {
  const { shelf, all } = sharing('b', 'b');
  const [a, b] = all as [(typeof all)[0], (typeof all)[0]];
  await a.server.get('/1');
  await until(() => shelf.leases.size === 0);
  a.renders.data = 'new';
  shelf.delay = async () => {
    for (let turns = 0; turns < 5; turns++) await turn();
  };
  const url = `${ORIGIN}/1`;
  expect(await a.server.handler.cache.refresh({ urls: [url] })).toMatchObject({ refreshed: 1 });
  const [stored] = [...shelf.entries.values()].map(({ entry }) => entry as StoredPage);
  expect(Buffer.from(stored!.body).toString()).toContain('new');
  expect((await b.server.get('/1')).text).toContain('new');
  expect(b.server.requests).toHaveLength(0);
});

it('a refresh waits for the lease of another process, and others wait for its own', async () => {
  const { shelf, all } = sharing('b', 'b');
  const [a, b] = all as [(typeof all)[0], (typeof all)[0]];
  a.renders.isHeld = true;
  const first = a.server.get('/1');
  await until(() => a.renders.running === 1);
  b.renders.data = 'new';
  b.renders.isHeld = true;
  const refreshed = b.server.handler.cache.refresh({ urls: [`${ORIGIN}/1`] });
  await until(() => (shelf.calls['lease'] ?? 0) > 1);
  for (let i = 0; i < 5; i++) await turn();
  expect(b.renders.running).toBe(0);
  a.renders.land();
  expect((await first).text).toContain('old');
  await until(() => b.renders.running === 1);
  expect(shelf.leases.size).toBe(1);
  b.renders.land();
  expect(await refreshed).toMatchObject({ refreshed: 1 });
});

it('a refresh of the old build leaves the pages of the new one', async () => {
  const { all } = sharing('old', 'new');
  const [a, b] = all as [(typeof all)[0], (typeof all)[0]];
  b.renders.data = 'deployed';
  await a.server.get('/1');
  await b.server.get('/1');
  expect(await a.server.handler.cache.refresh({ path: '/1' })).toMatchObject({ refreshed: 1 });
  expect((await b.server.get('/1')).text).toContain('deployed');
  expect(b.server.requests).toHaveLength(1);
});

it('after a soft purge, a refresh gives other processes the new page', async () => {
  const { shelf, all } = sharing('b', 'b');
  const [a, b] = all as [(typeof all)[0], (typeof all)[0]];
  for (const { renders } of all) {
    renders.headers = { 'cache-control': 's-maxage=60, stale-while-revalidate=60' };
  }
  await a.server.get('/1');
  await until(() => shelf.leases.size === 0);
  await b.server.get('/1');
  a.renders.data = 'new';
  const { cache } = a.server.handler;
  await cache.purge({ path: '/1' });
  expect(await cache.refresh({ path: '/1' })).toMatchObject({ refreshed: 1 });
  await until(() => shelf.leases.size === 0);
  expect((await b.server.get('/1')).text).toContain('old');
  await until(async () => (await b.server.get('/1')).text.includes('new'));
  expect(b.server.requests).toHaveLength(0);
});

it('random histories: after a refresh nobody gets older data', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  let refreshes = 0;
  for (let history = 0; history < stress(10); history++) {
    const random = new Random(seed + history);
    const shelf = new Shelf();
    let data = 0;
    const page: Page = async ({ url }) => {
      const read = data;
      for (let turns = random.below(6); turns > 0; turns--) await turn();
      if (random.chance(0.1)) throw new Error('cracked');
      const { pathname } = new URL(url);
      const status = random.chance(0.1) ? 503 : 200;
      return html(`data ${read};`, { ...SHARED, 'cache-tag': `tag${pathname}` }, status);
    };
    const features = random.chance(0.5) ? [withSharedStore(shelf.open())] : [];
    const server = storedServer(page, { features, render: { concurrency: 16, maxWaitMs: 60_000 } });
    const { cache } = server.handler;
    const paths = ['/a', '/b', '/a/c'];
    const least = new Map(paths.map((path) => [path, 0]));
    const work: Promise<unknown>[] = [];
    const visit = async (): Promise<void> => {
      const path = random.pick(paths);
      const atLeast = least.get(path)!;
      const { text, status } = await server.get(path);
      const read = /data (\d+);/.exec(text)?.[1];
      const about = `${path} in history ${history} of NG_SSR_FUZZ_SEED=${seed}`;
      if (status === 200) expect(Number(read), about).toBeGreaterThanOrEqual(atLeast);
    };
    const refresh = async (): Promise<void> => {
      const path = random.pick(paths);
      const url = ORIGIN + path;
      const now = ++data;
      const which = random.pick<Refresh>([{ urls: [url] }, { urls: [url] }, { path }]);
      const wasCached = cache.inspect().pages.some((each) => each.path === path);
      const report = await cache.refresh(which);
      const isDone = report.refreshed === 1;
      const told = [report.refreshed, report.failed.length, report.notStored.length];
      const isAsked = which.urls !== undefined || wasCached;
      expect(told.reduce((sum, each) => sum + each, 0)).toBe(isAsked ? 1 : 0);
      if (!isDone) return;
      refreshes++;
      least.set(path, Math.max(least.get(path)!, now));
    };
    const purge = (): Promise<void> =>
      cache.purge({ path: random.pick(paths), hard: random.chance(0.5) });
    for (let step = 0; step < 60; step++) {
      const what = random.below(10);
      work.push(what < 6 ? visit() : what < 8 ? refresh() : purge());
      if (what === 9) advance(random.pick([1, 61]));
      advance(0.001);
      if (random.chance(0.6)) await turn();
    }
    await Promise.all(work);
    await server.handler.close();
  }
  expect(refreshes).toBeGreaterThan(0);
});
