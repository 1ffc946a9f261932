/** Writes pages of one generation after the other, and purges each, until it is killed. */
import { page } from '@ng-ssr/conformance/page-store';
import { sqlitePageStore, type SqlitePageStoreOptions } from '@ng-ssr/sqlite';
import { KEYS, toBody } from './writer-contract.ts';

interface WriterOptions extends SqlitePageStoreOptions {
  readonly from: number;
  readonly isPurging: boolean;
}

const { from, isPurging, ...options } = JSON.parse(process.argv[2]!) as WriterOptions;
const store = sqlitePageStore(options);
let generation = from + 1;
store.open({
  buildId: 'build',
  onPurge: ({ tag }) => (generation = Math.max(generation, Number(tag) + 1)),
  onError: (error) => {
    throw error;
  },
});
process.on('disconnect', () => process.exit());
while (store.version() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
for (;;) {
  const [version, written] = [store.version(), generation];
  await Promise.all(
    Array.from({ length: KEYS }, (_, key) => {
      const body = toBody(key, written);
      const entry = { ...page(''), tags: [String(written)], body };
      return store.set(`/${key}`, entry, version, 600);
    }),
  );
  if (isPurging) {
    await store.purge({ tag: String(written), hard: true });
    generation = written + 1;
  }
  process.send!({ purged: isPurging ? written : generation - 1 });
}
