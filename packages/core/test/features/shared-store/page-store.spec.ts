import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type PageStore,
  type SharedStoreOptions,
  type StoredPage,
  withSharedStore,
} from '@ng-ssr/core';
import { turn, until } from '../../pages/clock.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { Shelf } from './fake-page-store.ts';
import { html, type Page, storedServer, type StoredServer } from '../../pages/stored-server.ts';

const SHARED = { 'cache-control': 's-maxage=60' };
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  vi.useRealTimers();
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

/** Lets time pass for freshness, not for timers. */
function advance(seconds: number): void {
  if (vi.isFakeTimers()) return void vi.advanceTimersByTime(seconds * 1000);
  // Whole, so that no fraction of a millisecond is lost between two readings.
  const sinceMs = Math.ceil(performance.now());
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
  vi.advanceTimersByTime(sinceMs + seconds * 1000);
  vi.setSystemTime(Date.now() - sinceMs);
}

/** Servers of one build that share a store. */
function processes(
  shelf: Shelf,
  count: number,
  page: Page,
  options?: SharedStoreOptions,
): StoredServer[] {
  return Array.from({ length: count }, () =>
    storedServer(page, { features: [withSharedStore(shelf.open(), options)] }),
  );
}

const slowly =
  (headers: Readonly<Record<string, string>>): Page =>
  async (request) => {
    for (let i = 0; i < 5; i++) await turn();
    return html(`${new URL(request.url).pathname} ${request.headers.get('x-kind')}`, headers);
  };

/** The text of a page, as a server sends it. */
const htmlOf = (text: string): string => `<!doctype html><p>${text}</p>`;

function renders(servers: readonly StoredServer[]): number {
  return servers.reduce((sum, { requests }) => sum + requests.length, 0);
}

it('a cold page is rendered once by all processes', async () => {
  const shelf = new Shelf();
  const servers = processes(shelf, 3, slowly(SHARED));
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => servers[i % 3]!.get('/p')),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(renders(servers)).toBe(1);
  await until(() => shelf.leases.size === 0);
});

it('a page that another process has stored is found, with its age, headers and tags', async () => {
  const shelf = new Shelf();
  const [a, b] = processes(shelf, 2, () =>
    html('page', { ...SHARED, 'cache-tag': 'a, b', link: '</x>', etag: '"own"' }),
  ) as [StoredServer, StoredServer];
  advance(0);
  const first = await a.get('/p');
  await until(() => shelf.entries.size === 1);
  advance(10);
  const found = await b.get('/p');
  expect([found.cache, found.header('age')]).toEqual(['hit; ttl=50', '10']);
  expect(found.text).toBe(first.text);
  for (const name of ['link', 'etag', 'cache-control', 'vary', 'content-type', 'cache-tag']) {
    expect(found.header(name), name).toBe(first.header(name));
  }
  expect((await b.get('/p')).cache).toBe('hit; ttl=50');
  expect(b.handler.cache.inspect().pages).toMatchObject([{ path: '/p', tags: ['a', 'b'] }]);
  expect(renders([a, b])).toBe(1);
});

it('a page in memory costs the store nothing', async () => {
  const shelf = new Shelf();
  const [a] = processes(shelf, 1, () => html('page', SHARED)) as [StoredServer];
  await a.get('/p');
  await until(() => shelf.leases.size === 0);
  const before = { ...shelf.calls };
  for (let i = 0; i < 10; i++) await a.get('/p');
  expect(shelf.calls).toEqual(before);
});

it('variants are found by the processes that do not know yet what a page varies by', async () => {
  const shelf = new Shelf();
  const servers = processes(shelf, 2, slowly({ ...SHARED, vary: 'x-kind' }));
  const [a, b] = servers as [StoredServer, StoredServer];
  for (const kind of ['1', '2']) await a.get('/p', { 'x-kind': kind });
  await until(() => shelf.entries.size === 3 && shelf.leases.size === 0);
  for (const kind of ['2', '1']) {
    const found = await b.get('/p', { 'x-kind': kind });
    expect([found.isHit, found.text]).toEqual([true, `<!doctype html><p>/p ${kind}</p>`]);
  }
  expect(b.requests).toHaveLength(0);
  // A variant that neither has is rendered, and found by the first.
  expect((await b.get('/p', { 'x-kind': '3' })).cache).toMatch(/^fwd=(?:vary|uri)-miss; stored$/);
  await until(() => shelf.entries.size === 4);
  expect((await a.get('/p', { 'x-kind': '3' })).isHit).toBe(true);
  expect(renders(servers)).toBe(3);
});

it('several variants of a cold page are rendered once each by all processes', async () => {
  const servers = processes(new Shelf(), 2, slowly({ ...SHARED, vary: 'x-kind' }));
  const kinds = Array.from({ length: 40 }, (_, i) => `${i % 4}`);
  const answers = await Promise.all(
    kinds.map((kind, i) => servers[(i >> 2) % 2]!.get('/p', { 'x-kind': kind })),
  );
  expect(answers.map(({ text }) => text)).toEqual(
    kinds.map((kind) => `<!doctype html><p>/p ${kind}</p>`),
  );
  expect(renders(servers)).toBe(4);
});

it.each([false, true])('a purge reaches all processes (hard: %s)', async (hard) => {
  const shelf = new Shelf();
  const servers = processes(shelf, 2, (_request, count) =>
    html(`${count}`, { ...SHARED, 'cache-tag': 'a' }),
  );
  const [a, b] = servers as [StoredServer, StoredServer];
  for (const purge of [{ path: '/p' }, { prefix: '/' }, { tag: 'a' }]) {
    await a.get('/p');
    await until(() => shelf.leases.size === 0);
    await b.get('/p');
    const before = renders(servers);
    await a.handler.cache.purge({ ...purge, hard });
    expect((await b.get('/p')).cache).toMatch(/; stored$/);
    await until(() => shelf.leases.size === 0);
    expect((await a.get('/p')).isHit).toBe(true);
    expect(renders(servers)).toBe(before + 1);
  }
});

it('a page purged softly elsewhere is answered while one process re-renders it', async () => {
  const shelf = new Shelf();
  const headers = { 'cache-control': 's-maxage=60, stale-while-revalidate=60' };
  const servers = processes(shelf, 2, (_request, count) => html(`${count}`, headers));
  const [a, b] = servers as [StoredServer, StoredServer];
  await a.get('/p');
  await until(() => shelf.leases.size === 0);
  await a.handler.cache.purge({ path: '/p' });
  // `b` has it from the store, where it is marked.
  expect((await b.get('/p')).isHit).toBe(true);
  await b.get('/p');
  await until(async () => b.requests.length === 1 && shelf.leases.size === 0);
  await until(async () => /ttl=[1-9]/.test((await a.get('/p')).cache));
  expect(renders(servers)).toBe(2);
});

it('a purge during a render elsewhere is not missed', async () => {
  const shelf = new Shelf();
  let land = (): void => undefined;
  let count = 0;
  const servers = processes(shelf, 2, async () => {
    if (++count === 1) await new Promise<void>((resolve) => (land = resolve));
    return html(`render ${count}`, SHARED);
  });
  const [a, b] = servers as [StoredServer, StoredServer];
  const first = a.get('/p');
  await until(() => a.requests.length === 1);
  await b.handler.cache.purge({ path: '/p' });
  land();
  await first;
  await until(() => shelf.leases.size === 0);
  for (const server of [b, a]) expect((await server.get('/p')).text).toContain('render 2');
});

it('a page taken from the store while a purge is on its way there is purged too', async () => {
  for (const hard of [false, true]) {
    const shelf = new Shelf();
    const [a, b] = processes(shelf, 2, (_request, count) => html(`render ${count}`, SHARED)) as [
      StoredServer,
      StoredServer,
    ];
    await a.get('/p');
    await until(() => shelf.leases.size === 0);
    // Its way to the store is longer than that of a read.
    const store = shelf.open();
    const c = storedServer((_request, count) => html(`anew ${count}`, SHARED), {
      features: [
        withSharedStore({
          ...store,
          purge: async (purge) => {
            for (let i = 0; i < 10; i++) await turn();
            await store.purge(purge);
          },
        }),
      ],
    });
    const purged = c.handler.cache.purge({ path: '/p', hard });
    await c.get('/p');
    await purged;
    expect((await c.get('/p')).text).toContain('anew 1');
    expect(b.requests).toHaveLength(0);
  }
});

it('one process refreshes a stale page, and the others take what it has stored', async () => {
  const shelf = new Shelf();
  const headers = { 'cache-control': 's-maxage=10, stale-while-revalidate=3600' };
  const servers = processes(shelf, 3, async (request, count) => {
    for (let i = 0; i < 5; i++) await turn();
    return html(`${count} ${request.url}`, headers);
  });
  for (const server of servers) {
    await server.get('/p');
    await until(() => shelf.leases.size === 0);
  }
  expect(renders(servers)).toBe(1);
  advance(11);
  for (const server of servers) expect((await server.get('/p')).isHit).toBe(true);
  await until(async () => {
    const seen = await Promise.all(servers.map((server) => server.get('/p')));
    return seen.every(({ cache }) => cache === 'hit; ttl=10');
  });
  expect(renders(servers)).toBe(2);
});

it.each(['too old', 'purged softly'])(
  'a stale page of the store (%s) is refreshed by the first request that gets it, and by no second one',
  async (reason) => {
    const shelf = new Shelf();
    const headers = { 'cache-control': 's-maxage=10, stale-while-revalidate=3600', vary: 'x-kind' };
    const servers = processes(shelf, 2, ({ headers: of }, count) =>
      html(`${of.get('x-kind')} ${count}`, headers),
    ) as [StoredServer, StoredServer];
    const [a, b] = servers;
    const kind = { 'x-kind': 'k' };
    advance(0);
    await a.get('/p', kind);
    await until(() => shelf.entries.size === 2 && shelf.leases.size === 0);
    advance(reason === 'too old' ? 11 : 5);
    if (reason === 'purged softly') await a.handler.cache.purge({ path: '/p' });
    expect(await b.get('/p', kind)).toMatchObject({ isHit: true, text: htmlOf('k 1') });
    // No further request arrives, since the memory may drop the page before.
    await until(() => renders(servers) === 2 && shelf.leases.size === 0);
    expect(await b.get('/p', kind)).toMatchObject({ cache: 'hit; ttl=10', text: htmlOf('k 1') });
    expect(renders(servers)).toBe(2);
    const stored = [...shelf.entries.values()].filter(({ entry }) => 'body' in entry);
    expect(stored.map(({ version }) => version)).toEqual([shelf.purges.length]);
  },
);

it('a fresh page of the store is not refreshed', async () => {
  const shelf = new Shelf();
  const headers = { 'cache-control': 's-maxage=10, stale-while-revalidate=3600' };
  const servers = processes(shelf, 2, () => html('page', headers)) as [StoredServer, StoredServer];
  const [a, b] = servers;
  advance(0);
  await a.get('/p');
  await until(() => shelf.leases.size === 0);
  advance(5);
  expect((await b.get('/p')).cache).toBe('hit; ttl=5');
  await turn();
  expect([renders(servers), shelf.leases.size]).toEqual([1, 0]);
});

it('a page that must no longer be stored is deleted from the store', async () => {
  const shelf = new Shelf();
  const headers = { 'cache-control': 's-maxage=10, stale-while-revalidate=3600' };
  const [a] = processes(shelf, 1, (_request, count) =>
    html(`${count}`, count === 1 ? headers : { 'cache-control': 'private' }),
  ) as [StoredServer];
  await a.get('/p');
  await until(() => shelf.entries.size === 1);
  advance(11);
  await a.get('/p');
  await until(() => shelf.entries.size === 0);
});

it('404s and 410s stay in the process that has rendered them', async () => {
  for (const status of [404, 410]) {
    const shelf = new Shelf();
    const servers = processes(shelf, 2, () => html('gone', SHARED, status));
    for (const server of servers) {
      expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
      expect((await server.get('/p')).isHit).toBe(true);
    }
    expect(shelf.entries.size).toBe(0);
    expect(renders(servers)).toBe(2);
  }
});

it('what is not stored is not shared', async () => {
  const shelf = new Shelf();
  const servers = processes(shelf, 2, (request) =>
    html(request.headers.get('cookie') ?? '', { 'cache-control': 'private' }),
  );
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => servers[i % 2]!.get('/p', { cookie: `user=${i}` })),
  );
  expect(answers.map(({ text }) => text)).toEqual(
    Array.from({ length: 20 }, (_, i) => `<!doctype html><p>user=${i}</p>`),
  );
  expect([shelf.entries.size, shelf.calls['set']]).toEqual([0, undefined]);
  await until(() => shelf.leases.size === 0);
});

it('pages of another build are not found', async () => {
  const shelf = new Shelf();
  const [a] = processes(shelf, 1, () => html('old', SHARED), { buildId: '1' }) as [StoredServer];
  const [b] = processes(shelf, 1, () => html('new', SHARED), { buildId: '2' }) as [StoredServer];
  await a.get('/p');
  await until(() => shelf.entries.size === 1);
  expect((await b.get('/p')).text).toContain('new');
});

it('a render that fails gives the lease back', async () => {
  const shelf = new Shelf();
  const [a] = processes(shelf, 1, () => {
    throw new Error('cracked');
  }) as [StoredServer];
  const [b] = processes(shelf, 1, () => html('whole', SHARED)) as [StoredServer];
  const [failed, whole] = await Promise.all([a.get('/p'), turn().then(() => b.get('/p'))]);
  expect(failed.status).toBe(500);
  expect(whole.status).toBe(200);
  await until(() => shelf.leases.size === 0);
});

it('a lease is given back when the page has been stored', async () => {
  const done: string[] = [];
  const store = new Shelf().open();
  const slow: PageStore = {
    ...store,
    set: async (...given) => {
      for (let i = 0; i < 10; i++) await turn();
      await store.set(...given);
      done.push('stored');
    },
    lease: async (...given) => {
      const lease = await store.lease(...given);
      if (typeof lease !== 'object') return lease;
      return { release: async (ms) => void (done.push('released'), await lease.release(ms)) };
    },
  };
  const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(slow)] });
  await server.get('/p');
  await until(() => done.length === 2);
  expect(done).toEqual(['stored', 'released']);
});

it('a lease is given back if another process has stored the page before it was granted', async () => {
  const shelf = new Shelf();
  const [a] = processes(shelf, 1, () => html('page', SHARED)) as [StoredServer];
  await a.get('/p');
  await until(() => shelf.leases.size === 0);
  const store = shelf.open();
  let isFirst = true;
  const late: PageStore = {
    ...store,
    get: async (key) => {
      const found = await store.get(key);
      if (!isFirst) return found;
      isFirst = false;
      return undefined;
    },
  };
  const b = storedServer(() => html('anew', SHARED), { features: [withSharedStore(late)] });
  expect((await b.get('/p')).text).toContain('page');
  expect([b.requests.length, shelf.leases.size]).toEqual([0, 0]);
});

it('invalidations that have failed leave their places to others', async () => {
  let isAway = true;
  const invalidated: string[] = [];
  const store: PageStore = {
    ...new Shelf().open(),
    invalidate: async (path) => {
      if (isAway) throw new Error('away');
      invalidated.push(path);
    },
  };
  const { handler } = storedServer(() => html('page', SHARED), {
    features: [withSharedStore(store)],
  });
  const change = (target: string): void =>
    handler.answered(plainExchange(target, {}, 'POST'), { status: 200, header: () => undefined });
  for (let i = 0; i < 1000; i++) change(`/${i}`);
  for (let i = 0; i < 10; i++) await turn();
  isAway = false;
  change('/p');
  await until(() => invalidated.includes('/p'));
});

it('a page is set for as long as it is of use', async () => {
  const seconds: number[] = [];
  const store: PageStore = {
    ...new Shelf().open(),
    set: async (_key, _entry, _version, lifetime) => void seconds.push(lifetime),
  };
  for (const value of [
    's-maxage=10',
    's-maxage=10, stale-while-revalidate=20',
    's-maxage=10, stale-while-revalidate=20, stale-if-error=40',
  ]) {
    const server = storedServer(() => html('page', { 'cache-control': value }), {
      features: [withSharedStore(store)],
    });
    await server.get('/p');
  }
  await until(() => seconds.length === 3);
  expect(seconds).toEqual([10, 30, 50]);
});

it('close() closes the store', async () => {
  const shelf = new Shelf();
  const [a] = processes(shelf, 1, () => null) as [StoredServer];
  await a.handler.close();
  expect(shelf.calls['close']).toBe(1);
});

type Call = 'get' | 'set' | 'delete' | 'lease' | 'release';

/** A store one of whose functions does this. */
function broken(call: Call, answer: () => unknown): PageStore {
  const store = new Shelf().open();
  if (call !== 'release') return { ...store, [call]: answer };
  return { ...store, lease: async () => ({ release: answer as () => Promise<void> }) };
}

const CALLS: readonly Call[] = ['get', 'set', 'delete', 'lease', 'release'];
const FAILURES: readonly [string, () => unknown][] = [
  ['rejects', () => Promise.reject(new Error('the store is away'))],
  [
    'throws',
    () => {
      throw new Error('the store is away');
    },
  ],
  ['hangs', () => new Promise(() => undefined)],
];

it.each(FAILURES.flatMap(([name, fail]) => CALLS.map((call) => [call, name, fail] as const)))(
  'a store whose %s %s costs no answer',
  async (call, name, fail) => {
    const headers = { 'cache-control': 's-maxage=10, stale-while-revalidate=3600' };
    const server = storedServer(
      (_request, count) => html(`render ${count}`, count === 2 ? {} : headers),
      { features: [withSharedStore(broken(call, fail))] },
    );
    expect((await server.get('/p')).text).toContain('render 1');
    // What is in memory is answered as ever; the refresh drops it.
    expect((await server.get('/p')).isHit).toBe(true);
    for (let turns = 0; turns < 10; turns++) await turn();
    advance(11);
    expect((await server.get('/p')).isHit).toBe(true);
    await until(() => server.requests.length === 2);
    await until(() => server.handler.cache.inspect().count === 0);
    expect((await server.get('/q')).text).toContain('render 3');
    const codes = server.errors.map((error) => error.code);
    expect(codes.every((code) => code === 'NG_SSR_STORE_UNAVAILABLE')).toBe(true);
    if (name !== 'hangs') expect(codes).not.toEqual([]);
  },
  20_000,
);

it('a store that fails is left alone for some time, and reported once', async () => {
  let asked = 0;
  const store = broken('get', () => {
    asked++;
    return Promise.reject(new Error('the store is away'));
  });
  const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(store)] });
  for (let i = 0; i < 20; i++) expect((await server.get(`/${i}`)).status).toBe(200);
  expect(asked).toBe(1);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_STORE_UNAVAILABLE']);
});

it('a version that cannot be read costs no answer', async () => {
  const shelf = new Shelf();
  const store: PageStore = {
    ...shelf.open(),
    version: () => {
      throw new Error('the store is away');
    },
  };
  const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(store)] });
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
  expect((await server.get('/p')).isHit).toBe(true);
  // It is unknown which purges it has seen.
  expect(shelf.entries.size).toBe(0);
});

const PAGE: StoredPage = {
  status: 200,
  headers: ['content-type', 'text/html'],
  body: Buffer.from('junk'),
  path: '/p',
  tags: [],
  dateMs: Date.now(),
  freshSeconds: 3600,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 0,
};

const JUNK: readonly [string, unknown][] = [
  ['null', null],
  ['a text', 'page'],
  ['a number', 7],
  ['nothing in it', {}],
  ['no entry', { entry: null, isPurged: false }],
  ['a text for an entry', { entry: 'page', isPurged: false }],
  ['an empty entry', { entry: {}, isPurged: false }],
  ['a text for a body', { entry: { ...PAGE, body: 'junk' } }],
  ['no body', { entry: { ...PAGE, body: null } }],
  ['no headers', { entry: { ...PAGE, headers: undefined } }],
  ['headers that are a record', { entry: { ...PAGE, headers: { a: 'b' } } }],
  ['half a header', { entry: { ...PAGE, headers: ['a'] } }],
  ['a header of another kind', { entry: { ...PAGE, headers: ['a', 7] } }],
  ['a header with a line break', { entry: { ...PAGE, headers: ['a', 'b\r\nset-cookie: c=d'] } }],
  ['a header with a control character', { entry: { ...PAGE, headers: ['a', 'b\x01'] } }],
  ['a header with a DEL', { entry: { ...PAGE, headers: ['a', 'b\x7f'] } }],
  ['a header beyond Latin-1', { entry: { ...PAGE, headers: ['a', '\u0100'] } }],
  ['a header of the connection', { entry: { ...PAGE, headers: ['transfer-encoding', 'chunked'] } }],
  ['a length of its own', { entry: { ...PAGE, headers: ['Content-Length', '1'] } }],
  ['an encoding', { entry: { ...PAGE, headers: ['content-encoding', 'gzip'] } }],
  ['a cookie', { entry: { ...PAGE, headers: ['set-cookie', 'a=b'] } }],
  ['a status that is never stored', { entry: { ...PAGE, status: 304 } }],
  ['content where there is none', { entry: { ...PAGE, status: 204 } }],
  ['a header name with a space', { entry: { ...PAGE, headers: ['a b', 'c'] } }],
  ['no tags', { entry: { ...PAGE, tags: undefined } }],
  ['a status that is none', { entry: { ...PAGE, status: 99 } }],
  ['a text for a status', { entry: { ...PAGE, status: '200' } }],
  ['no date', { entry: { ...PAGE, dateMs: NaN } }],
  ['no lifetime', { entry: { ...PAGE, freshSeconds: undefined } }],
  ['an endless lifetime', { entry: { ...PAGE, freshSeconds: Infinity } }],
  ['names that are no list', { entry: { vary: 'cookie' } }],
  ['names that are none', { entry: { vary: [7] } }],
  ['names of variants that are nowhere', { entry: { vary: ['x-kind'] } }],
];

it.each(JUNK)('a store that gives %s costs no answer', async (_name, junk) => {
  const store = broken('get', () => Promise.resolve(junk));
  const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(store)] });
  const answer = await server.get('/p');
  expect([answer.status, answer.text]).toEqual([200, '<!doctype html><p>page</p>']);
  expect((await server.get('/p')).isHit).toBe(true);
});

it.each([null, 7, 'mine', {}, { release: 'now' }])(
  'a store that gives %j for a lease costs no answer',
  async (junk) => {
    const store = broken('lease', () => Promise.resolve(junk));
    const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(store)] });
    expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
  },
);

it('a lease that another process holds for ever costs no answer', async () => {
  const store = broken('lease', () => Promise.resolve('taken'));
  const server = storedServer(() => html('page', SHARED), {
    features: [withSharedStore(store)],
    render: { maxWaitMs: 1000 },
  });
  const answer = await server.get('/p');
  expect([answer.status, answer.cache]).toEqual([200, 'fwd=uri-miss; stored']);
});

it('a lease that comes too late is given back', async () => {
  let released = 0;
  let grant = (): void => undefined;
  const store = broken(
    'lease',
    () =>
      new Promise((resolve) => {
        grant = () => resolve({ release: async () => void released++ });
      }),
  );
  const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(store)] });
  expect((await server.get('/p')).status).toBe(200);
  grant();
  await until(() => released === 1);
});

it('a purge that the store has not confirmed rejects, and counts here', async () => {
  for (const fail of [FAILURES[0]![1], FAILURES[1]![1]]) {
    const store: PageStore = { ...new Shelf().open(), purge: fail as () => Promise<void> };
    const server = storedServer((_request, count) => html(`render ${count}`, SHARED), {
      features: [withSharedStore(store)],
    });
    await server.get('/p');
    await expect(server.handler.cache.purge({ tag: 'a', hard: true })).rejects.toMatchObject({
      code: 'NG_SSR_STORE_UNAVAILABLE',
    });
    expect((await server.get('/p')).isHit).toBe(true);
  }
});

it('a store that receives an invalid purge purges nothing', async () => {
  let hear: ((purge: never) => void) | undefined;
  const shelf = new Shelf().open();
  const store: PageStore = {
    ...shelf,
    open: (context) => {
      hear = context.onPurge;
      shelf.open(context);
    },
  };
  const server = storedServer(() => html('page', SHARED), { features: [withSharedStore(store)] });
  await server.get('/p');
  for (const junk of [undefined, null, 'all', {}, { path: 7 }, { path: '/p', tag: 'a' }]) {
    try {
      hear!(junk as never);
    } catch (error) {
      expect(error).toMatchObject({ code: 'NG_SSR_PURGE_INVALID' });
    }
  }
  expect((await server.get('/p')).isHit).toBe(true);
  hear!({ path: '/p', hard: true } as never);
  expect(server.handler.cache.inspect().pages).toEqual([]);
});

it('a store that cannot be left costs no end', async () => {
  for (const fail of [FAILURES[0]![1], FAILURES[1]![1]]) {
    const store: PageStore = { ...new Shelf().open(), close: fail as () => Promise<void> };
    const server = storedServer(() => null, { features: [withSharedStore(store)] });
    await server.handler.close();
  }
});
