import { DatabaseSync } from 'node:sqlite';
import { bodyOf, page, readyStore } from '@ng-ssr/conformance/page-store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreFile } from './store-file.ts';

const POLL = { timeout: 60_000, interval: 10 };

test('a path that was changed twice while the file was locked has pages again', async () => {
  const file = new StoreFile();
  onTestFinished(() => file.close());
  const { store } = await readyStore(file);
  await store.set('/', page('old'), store.version(), 60);
  const other = new DatabaseSync(file.path);
  other.exec('BEGIN IMMEDIATE');
  const sent = [1, 2].map(() => store.invalidate!('/products/1'));
  for (const each of await Promise.allSettled(sent)) expect(each.status).toBe('rejected');
  other.exec('ROLLBACK');
  other.close();
  await vi.waitFor(async () => {
    await store.set('/', page('new'), store.version(), 60);
    expect(await bodyOf(store, '/')).toBe('new');
  }, POLL);
});
