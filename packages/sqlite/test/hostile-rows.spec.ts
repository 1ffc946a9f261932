import { DatabaseSync } from 'node:sqlite';
import { fuzzOptions, Random } from '@ng-ssr/conformance/fuzz';
import { bodyOf, page, readyStore } from '@ng-ssr/conformance/page-store';
import { expect, test } from 'vitest';
import { FOREIGN, HostileEntries } from '../../conformance/test/processes/hostile-entries.ts';
import { leastCount } from '../../conformance/test/least-count.ts';
import { StoreFile } from './store-file.ts';

const { requests, seed } = fuzzOptions(300);
const TIMES = [-1, 0, 60_000, 86_400_000, -60_000];

test(`${requests} rows of another program cost no look-up, and are written over`, async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const entries = new HostileEntries(random);
  const file = new StoreFile();
  const { store, errors } = await readyStore(file);
  await store.set('/', page('page'), store.version(), 60);
  // The store may be writing.
  const database = new DatabaseSync(file.path, { timeout: 60_000 });
  const changeEntry = database.prepare(
    'UPDATE entries SET version = ?, born = ?, stored = ?, expires = ?',
  );
  const changeBody = database.prepare('UPDATE bodies SET value = ?');
  let taken = 0;
  try {
    for (let number = 0; number < requests; number++) {
      const nowMs = Date.now();
      changeBody.run(entries.next('/', 0));
      // Half of the rows have right columns, or hardly an entry would be taken.
      const isRight = random.chance(0.5);
      changeEntry.run(
        isRight ? 0 : random.pick([0, 0, 1, Number.MAX_SAFE_INTEGER]),
        nowMs + (isRight ? -1 : random.pick(TIMES)),
        nowMs + (isRight ? -1 : random.pick([-1, -1, -1, ...TIMES])),
        nowMs + (isRight ? 60_000 : random.pick([60_000, 60_000, 60_000, ...TIMES])),
      );
      const found = await store.get('/');
      if (found !== undefined && 'body' in found.entry) {
        taken++;
        expect(Buffer.from(found.entry.body).includes(FOREIGN), `seed ${seed}`).toBe(false);
      }
      if (number % 10 > 0) continue;
      await store.delete('/');
      await store.set('/', page('page'), store.version(), 60);
      expect(await bodyOf(store, '/'), `seed ${seed}, row ${number}`).toBe('page');
    }
    console.log(`${taken} were pages`);
    // Of 2,000 rows 262 were pages.
    expect(taken).toBeGreaterThanOrEqual(leastCount(requests, 0.11));
    expect(errors).toEqual([]);
  } finally {
    database.close();
    await store.close();
    await file.close();
  }
});
