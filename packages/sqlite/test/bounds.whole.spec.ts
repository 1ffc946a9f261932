import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { bodyOf, page, readyStore } from '@ng-ssr/conformance/page-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAST_BYTES, StoreFile } from './store-file.ts';

const POLL = { timeout: 30_000, interval: 10 };

let file: StoreFile;
beforeEach(() => (file = new StoreFile()));
afterEach(() => file.close());

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
