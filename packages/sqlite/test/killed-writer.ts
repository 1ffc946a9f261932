import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { readyStore } from '@ng-ssr/conformance/page-store';
import { expect } from 'vitest';
import { KEYS, toBody, type WriterMessage } from './writer-contract.ts';
import { StoreFile } from './store-file.ts';

const WRITERS = 2;
/** Rounds that may follow where no page was found. */
const MORE = 20;

/** Kills processes as they write, again and again, and reads after each time what they have left. */
export async function checkAfterKill(rounds: number): Promise<void> {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const file = new StoreFile();
  let confirmed = 0;
  let found = 0;
  try {
    // A kill right after a purge leaves no page: another round follows until one has left some.
    for (let round = 0; round < rounds || (found === 0 && round < rounds + MORE); round++) {
      confirmed = await writeAndKill(file, confirmed, random);
      const { store, errors } = await readyStore(file);
      for (let key = 0; key < KEYS; key++) {
        const read = await store.get(`/${key}`);
        if (read === undefined || !('body' in read.entry)) continue;
        found++;
        const generation = Number(read.entry.tags[0]);
        expect(generation, `seed ${seed}, round ${round}`).toBeGreaterThan(confirmed);
        expect(toBody(key, generation).equals(read.entry.body)).toBe(true);
      }
      expect(errors).toEqual([]);
      await store.close();
      const database = new DatabaseSync(file.path);
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      database.close();
    }
    console.log(`${confirmed} generations were purged, ${found} pages found`);
    expect(found).toBeGreaterThan(0);
  } finally {
    await file.close();
  }
}

/** @returns the latest generation of which all pages have been purged for certain. */
async function writeAndKill(file: StoreFile, from: number, random: Random): Promise<number> {
  const next = { value: from };
  const enough = from + 1 + random.below(15);
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, at) => {
      const options = JSON.stringify({ ...file.options(), from, isPurging: at === 0 });
      const child = fork(join(import.meta.dirname, 'writer.ts'), [options], { execArgv: [] });
      const exited = once(child, 'exit');
      child.on('message', ({ purged }: WriterMessage) => {
        next.value = Math.max(next.value, purged);
      });
      while (next.value < enough) {
        await Promise.race([once(child, 'message'), exited]);
        if (child.exitCode !== null) throw new Error(`the writer ended with ${child.exitCode}`);
      }
      // Anywhere between two of its messages.
      for (let turns = random.below(2_000); turns > 0; turns--) await new Promise(setImmediate);
      child.kill('SIGKILL');
      await exited;
    }),
  );
  return next.value;
}
