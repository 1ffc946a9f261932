import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { BYTES, expectRight, useFleet } from './fleet.ts';

const PAGES = process.env['NG_SSR_TESTS'] === 'all' ? 10_000 : 1_000;
const AT_ONCE = 4;
/** A machine that stands still for half a second is an outage of its store: other processes are tried. */
const MOST_ROUNDS = 10;
/** Ten thousand renders and as many objects, beside other tests. */
const MOST_MS = 20 * 60_000;

const fleet = useFleet();

test(
  `a process that has just started answers ${PAGES} pages without a render, on another machine`,
  { timeout: MOST_MS },
  async () => {
    const { place, s3 } = fleet();
    for (let round = 0; ; round++) {
      const server = await fleet().start('first', 400);
      await askForAll(server);
      const { errors } = await server.state();
      await server.stop();
      if (errors.length === 0) break;
      expect(round).toBeLessThan(MOST_ROUNDS);
    }
    const objects = sizesIn(s3.objects);
    const entries = sizesOfEntries(place.path('pages.db'));
    console.log(
      `${PAGES} pages of ${BYTES} bytes: ${average(entries)} bytes of each in the index, ${average(objects)} in the bucket`,
    );
    expect(entries).toHaveLength(PAGES);
    expect(average(entries)).toBeLessThan(BYTES / 50);
    expect(objects.length).toBeGreaterThanOrEqual(PAGES);
    for (let round = 0; ; round++) {
      const machine = `second-${round}`;
      const server = await fleet().start(machine, 400);
      const pids = await askForAll(server);
      const { errors, renders } = await server.state();
      await server.stop();
      if (errors.length === 0) {
        expect(renders).toBe(0);
        expect(pids).not.toContain(server.pid);
        // Its machine has them now too.
        expect(sizesIn(place.path(machine)).length).toBe(PAGES);
        break;
      }
      expect(round).toBeLessThan(MOST_ROUNDS);
    }
  },
);

/** @returns who has rendered the pages. */
async function askForAll(server: ServerProcess): Promise<Set<number>> {
  const pids = new Set<number>();
  const paths = Array.from({ length: PAGES }, (_, at) => `/page/${at}`).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const path of paths) pids.add(await expectRight(server, path));
    }),
  );
  return pids;
}

/** The sizes of all bodies in a folder. */
function sizesIn(folder: string): number[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !/metadata|\.md5$/.test(each.name))
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
}

/** The sizes of all pages in an index. */
function sizesOfEntries(file: string): number[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const sql = `SELECT length(value) AS bytes FROM bodies WHERE instr(value, CAST('content-type' AS BLOB)) > 0`;
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map(({ bytes }) => Number(bytes));
}

function average(sizes: readonly number[]): number {
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
}
