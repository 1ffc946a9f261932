import { DatabaseSync } from 'node:sqlite';
import { stress } from '@ng-ssr/conformance/fuzz';
import { expect, test, vi } from 'vitest';
import { says, ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { checkAfterKill } from './killed-writer.ts';
import { StoreFile } from './store-file.ts';

const PAGES = stress(10_000);
const KILLS = stress(12);
/** Asked for at once: a slow disk stores so few pages before `timeoutMs` is over, after which a page is not stored. */
const PART = 500;
const CLIENTS = 16;
const POLL = { timeout: 30_000, interval: 50 };

test(`processes that are killed as they write, ${KILLS} times`, { timeout: 300_000 }, async () => {
  await checkAfterKill(KILLS);
});

test(
  `a server that starts again has ${PAGES} pages without a render`,
  { timeout: 300_000 },
  async () => {
    const file = new StoreFile();
    // Many pages are only in the file.
    const options = { sqlite: file.options({ maxBytes: 2 ** 28 }), maxBytes: 1_000_000 };
    const targets = Array.from({ length: PAGES }, (_, i) =>
      says(`/pages/${i}`, { 'cache-control': 's-maxage=6000' }),
    );
    const askAll = async (
      server: ServerProcess,
      afterPart?: (asked: number) => Promise<void>,
    ): Promise<string[]> => {
      const texts: string[] = [];
      let next = 0;
      for (let end = PART; end <= PAGES; end += PART) {
        const client = async (): Promise<void> => {
          while (next < end) {
            const at = next++;
            texts[at] = (await server.ask(targets[at]!)).text;
          }
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));
        await afterPart?.(end);
      }
      return texts;
    };
    let server = await ServerProcess.start(options);
    try {
      // Pages are stored after their answers.
      const before = await askAll(server, (asked) =>
        vi.waitFor(() => expect(countEntries(file.path)).toBe(asked), POLL),
      );
      await server.kill();
      server = await ServerProcess.start(options);
      expect(await askAll(server)).toEqual(before);
      expect((await server.state()).renders).toBe(0);
    } finally {
      await server.kill();
      await file.close();
    }
  },
);

function countEntries(path: string): unknown {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('SELECT count(*) AS count FROM entries').get()!['count'];
  } finally {
    database.close();
  }
}
