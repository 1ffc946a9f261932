import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { says, ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { checkAfterKill } from './killed-writer.ts';
import { StoreFile } from './store-file.ts';

const PAGES = 10_000;
const CLIENTS = 16;
const POLL = { timeout: 30_000, interval: 50 };

test('processes that are killed as they write, 12 times', { timeout: 300_000 }, async () => {
  await checkAfterKill(12);
});

test(
  'a server that starts again has 10,000 pages without a render',
  { timeout: 300_000 },
  async () => {
    const file = new StoreFile();
    // Many pages are only in the file.
    const options = { sqlite: file.options({ maxBytes: 2 ** 28 }), maxBytes: 1_000_000 };
    const targets = Array.from({ length: PAGES }, (_, i) =>
      says(`/pages/${i}`, { 'cache-control': 's-maxage=6000' }),
    );
    const askAll = async (server: ServerProcess): Promise<string[]> => {
      const texts: string[] = [];
      let next = 0;
      const client = async (): Promise<void> => {
        for (let at = next++; at < PAGES; at = next++)
          texts[at] = (await server.ask(targets[at]!)).text;
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return texts;
    };
    let server = await ServerProcess.start(options);
    try {
      const before = await askAll(server);
      // Pages are stored after their answers.
      const database = new DatabaseSync(file.path);
      const count = database.prepare('SELECT count(*) AS count FROM entries');
      await vi.waitFor(() => expect(count.get()).toEqual({ count: PAGES }), POLL);
      database.close();
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
