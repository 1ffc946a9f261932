import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { bodyOf, page, readyStore } from '@ng-ssr/conformance/page-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAST_BYTES, StoreFile } from './store-file.ts';

const POLL = { timeout: 30_000, interval: 10 };

let file: StoreFile;
beforeEach(() => (file = new StoreFile()));
afterEach(() => file.close());

test('pages used longest ago are dropped first', async () => {
  const { store } = await readyStore(file);
  const body = randomBytes(100_000);
  const put = (key: string): Promise<void> =>
    store.set(key, page('', { body }), store.version(), 86_400);
  for (let i = 0; i < 30; i++) await put(`/old/${i}`);
  // A use counts once in a minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  try {
    for (let i = 0; i < 5; i++) {
      await vi.waitFor(async () => expect(await store.get(`/old/${i}`)).toBeDefined(), POLL);
    }
    const database = new DatabaseSync(file.path);
    const used = database.prepare(
      'SELECT count(DISTINCT used) AS count FROM entries WHERE used > ?',
    );
    await vi.waitFor(
      () => expect(Number(used.get(Date.now() - 1_000)!['count'])).toBeGreaterThan(0),
      POLL,
    );
    database.close();
    for (let i = 0; i < 90; i++) await put(`/new/${i}`);
    await vi.waitFor(async () => expect(await store.get('/old/20')).toBeUndefined(), POLL);
    for (let i = 0; i < 5; i++) {
      await vi.waitFor(async () => expect(await store.get(`/old/${i}`)).toBeDefined(), POLL);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('a file that was allowed to be longer becomes shorter', async () => {
  const large = file.createStore({ maxBytes: 4 * LEAST_BYTES });
  large.open({ buildId: 'build', onPurge: () => {}, onError: () => {} });
  await vi.waitFor(() => expect(large.version()).toBeGreaterThan(0), POLL);
  const body = randomBytes(1_000_000);
  for (let i = 0; i < 30; i++) await large.set(`/${i}`, page('', { body }), large.version(), 600);
  expect(file.bytes).toBeGreaterThan(LEAST_BYTES);
  await large.close();
  const { errors } = await readyStore(file);
  await vi.waitFor(() => expect(file.bytes).toBeLessThanOrEqual(LEAST_BYTES), {
    timeout: 60_000,
    interval: 100,
  });
  expect(errors).toEqual([]);
});

test('entries that have expired, and those of builds that have left, are removed', async () => {
  const gone = await readyStore(file, { buildId: 'gone' });
  for (let i = 0; i < 300; i++) await gone.store.set(`/${i}`, page('a'), gone.store.version(), 600);
  await gone.store.close();
  const { store } = await readyStore(file);
  await store.set('/brief', page('b'), store.version(), 0.001);
  await store.set('/kept', page('c'), store.version(), 600);
  const database = new DatabaseSync(file.path);
  database.exec(`UPDATE builds SET seen = seen - 7200000 WHERE name = 'gone'`);
  const count = database.prepare('SELECT count(*) AS count FROM entries');
  await vi.waitFor(() => expect(count.get()).toEqual({ count: 1 }), POLL);
  expect(database.prepare('SELECT count(*) AS count FROM bodies').get()).toEqual({ count: 1 });
  database.close();
  expect(await bodyOf(store, '/kept')).toBe('c');
});
