import { DatabaseSync } from 'node:sqlite';
import { bodyOf, page, readyStore } from '@ng-ssr/conformance/page-store';
import { expect, onTestFinished, test } from 'vitest';
import { StoreFile } from './store-file.ts';

/** Less than a job may wait for the file. */
const WAITED_MS = 2000;

/** A job reads the clock before it waits: a page that others store meanwhile seems to come from later than now. */
test('a page that was stored while a job waited for the file is used, and no older one replaces it', async () => {
  const file = new StoreFile();
  onTestFinished(() => file.close());
  const { store, errors } = await readyStore(file);
  onTestFinished(() => store.close());
  await store.set('/', page('newer'), store.version(), 60);
  const database = new DatabaseSync(file.path);
  database.prepare('UPDATE entries SET stored = stored + ?1, born = born + ?1').run(WAITED_MS);
  database.close();

  expect(await bodyOf(store, '/')).toBe('newer');
  await store.set('/', page('older'), store.version(), 60);
  expect(await bodyOf(store, '/')).toBe('newer');
  expect(errors).toEqual([]);
});
