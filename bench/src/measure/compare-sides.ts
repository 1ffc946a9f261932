import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Likeness } from './page-likeness.ts';
import type { SideTurns, TurnsOrder } from './render-turns.ts';
import type { Row } from './row.ts';
import { quartilesOf, spreadOf } from './spread.ts';

/** What the rows of a comparison are called, and what makes the pages of its sides equal. */
export interface Comparison {
  readonly scenario: string;
  readonly work: string;
  readonly isLike: Likeness;
  readonly note?: string;
}

/**
 * Renders by all sides in turn in a process of its own.
 *
 * @param prefix - What to put before the command.
 * @throws Error when the program fails.
 */
export function takeTurns(
  order: TurnsOrder,
  prefix: readonly string[] = [],
): Promise<readonly SideTurns[]> {
  const program = join(import.meta.dirname, 'render-turns.ts');
  const [command, ...args] = [...prefix, process.execPath, program, JSON.stringify(order)];
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production', NG_ALLOWED_HOSTS: 'localhost' },
    });
    let said = '';
    child.stderr!.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2000)));
    child.once('message', (found) => resolve(found as readonly SideTurns[]));
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`renders ended with ${code}: ${said}`)));
  });
}

/**
 * A row for each side, with its ratio to the first side in each round.
 *
 * @throws Error when a side's page is another than the first side's: what it costs then says nothing.
 */
export function toRows(
  sides: readonly SideTurns[],
  { scenario, work, isLike, note }: Comparison,
): readonly Row[] {
  const base = sides[0]!;
  return sides.map(({ name, turns, first, last }) => {
    const id = `${scenario}/${work}/${name}`;
    const row: Row = { id, scenario, work, server: name, ...(note === undefined ? {} : { note }) };
    const difference = isLike(base.first, first) ?? isLike(base.last, last);
    if (difference !== undefined) throw new Error(`${id} is another page: it ${difference}`);
    return {
      ...row,
      cpuUs: spreadOf(turns.map(({ cpuUs }) => cpuUs)),
      mainUs: spreadOf(turns.map(({ mainUs }) => mainUs)),
      gcUs: turns.reduce((sum, { gcUs }) => sum + gcUs, 0) / turns.length,
      ratio: quartilesOf(turns.map(({ cpuUs }, round) => cpuUs / base.turns[round]!.cpuUs)),
      bytes: Buffer.byteLength(last),
    };
  });
}
