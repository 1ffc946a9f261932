import { randomBytes } from 'node:crypto';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { bodyOf, page, readyStore } from '@ng-ssr/conformance/page-store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAST_BYTES, StoreFile } from './store-file.ts';

const POLL = { timeout: 30_000, interval: 10 };

let file: StoreFile;
beforeEach(() => (file = new StoreFile()));
afterEach(() => file.close());

test('the files stay below maxBytes, whatever is stored; purges always have room', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const stores = [await readyStore(file), await readyStore(file)];
  let most = 0;
  for (let batch = 0; batch < 8; batch++) {
    await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const { store } = random.pick(stores);
        const body = randomBytes(random.pick([200, 5_000, 90_000, 1_000_000]) + random.below(999));
        await store.set(`/${batch}/${i}`, page('', { body }), store.version(), 600);
      }),
    );
    most = Math.max(most, file.bytes);
    await stores[0]!.store.purge({ tag: `tag-${batch}-${'x'.repeat(500)}` });
  }
  console.log(`at most ${most} bytes`);
  expect(most).toBeLessThanOrEqual(LEAST_BYTES);
  expect(most).toBeGreaterThan(LEAST_BYTES / 2);
  // There is room for new pages again.
  await vi.waitFor(async () => {
    await stores[1]!.store.set('/last', page('last'), stores[1]!.store.version(), 60);
    expect(await bodyOf(stores[0]!.store, '/last')).toBe('last');
  }, POLL);
  expect(stores.flatMap(({ errors }) => errors)).toEqual([]);
});
