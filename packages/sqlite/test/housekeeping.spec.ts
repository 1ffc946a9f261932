import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { page, readyStore } from '@ng-ssr/conformance/page-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreFile } from './store-file.ts';

const POLL = { timeout: 30_000, interval: 10 };

let file: StoreFile;
beforeEach(() => (file = new StoreFile()));
afterEach(() => file.close());

/** Runs SQL while no store has the file open. */
function change(sql: string): void {
  const database = new DatabaseSync(file.path);
  database.exec(sql);
  database.close();
}

test('the first look at a file removes entries that have expired, and those of builds that have left', async () => {
  for (const buildId of ['gone', 'other']) {
    const { store } = await readyStore(file, { buildId });
    for (const key of ['/a', '/b']) await store.set(key, page(buildId), store.version(), 600);
    await store.close();
  }
  change(`UPDATE builds SET seen = seen - 7200000 WHERE name = 'gone'`);
  change(`UPDATE entries SET expires = 1 WHERE id = (SELECT max(id) FROM entries)`);
  await readyStore(file);
  const database = new DatabaseSync(file.path);
  const entries = database.prepare('SELECT build FROM entries JOIN bodies USING (id)');
  await vi.waitFor(() => expect(entries.all()).toHaveLength(1), POLL);
  expect(entries.all()).toEqual([{ build: 'other' }]);
  expect(database.prepare('SELECT count(*) AS count FROM bodies').get()).toEqual({ count: 1 });
  database.close();
});

test('pages used longest ago make room for new ones', async () => {
  const { store } = await readyStore(file);
  let stored = 0;
  const put = (): Promise<void> =>
    store.set(`/${stored++}`, page('', { body: randomBytes(500_000) }), store.version(), 86_400);
  for (let i = 0; i < 16; i++) await put();
  // A use counts once in a minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  const database = new DatabaseSync(file.path);
  try {
    expect(await store.get('/0')).toBeDefined();
    const used = database.prepare('SELECT count(*) AS count FROM entries WHERE used > ?');
    await vi.waitFor(() => expect(used.get(Date.now() - 1_000)).toEqual({ count: 1 }), POLL);
    const entries = database.prepare('SELECT count(*) AS count FROM entries');
    while (Number(entries.get()!['count']) === stored && stored < 40) await put();
    await vi.waitFor(async () => expect(await store.get('/1')).toBeUndefined(), POLL);
    expect(await store.get('/0')).toBeDefined();
  } finally {
    database.close();
    vi.useRealTimers();
  }
});
