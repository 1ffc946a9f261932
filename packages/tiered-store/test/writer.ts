/** Stores page after page, until it is killed. */
import { sqlitePageStore } from '@ng-ssr/sqlite';
import { folderBodies, tieredPageStore } from '@ng-ssr/tiered-store';
import { join } from 'node:path';
import { page } from '@ng-ssr/conformance/page-store';

const { folder, writer } = JSON.parse(process.argv[2]!) as { folder: string; writer: string };
const store = tieredPageStore({
  index: sqlitePageStore({
    file: join(folder, 'pages.db'),
    maxBytes: 64 * 1024 * 1024,
    timeoutMs: 10_000,
  }),
  bodies: [
    folderBodies({ folder: join(folder, 'bodies'), maxBytes: 64 * 1024 * 1024, timeoutMs: 10_000 }),
  ],
  inlineBytes: 0,
  writeTimeoutMs: 60_000,
});
store.open({
  buildId: 'build',
  onPurge() {},
  onError: (error) => {
    throw error;
  },
});
process.on('disconnect', () => process.exit());
while (store.version() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
for (let number = 0; ; number = (number + 6) % 60) {
  await Promise.all(
    Array.from({ length: 6 }, (_, at) => {
      const name = `/${writer}/${number + at}`;
      const entry = page(`<p>${name}</p>`.repeat(200), { path: name, tags: [name] });
      return store.set(name, entry, store.version(), 600);
    }),
  );
  process.send!({ stored: number });
}
