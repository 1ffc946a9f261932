import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Visitors who come at a rate, each on a connection of its own, whatever becomes of the others. */
export interface OpenLoad {
  /** Each visitor asks for this path with a number of its own at the end. */
  readonly path: string;
  /** The mean: visitors come independently of each other (a Poisson process). */
  readonly perSecond: number;
  readonly seconds: number;
  /** A visitor without a page leaves after this time, and closes the connection. */
  readonly patienceMs: number;
  /** Text that only the rendered page has: the CSR page has a status of 200, too. */
  readonly mark: string;
}

/** The visitors of one second, by the second in which they came. */
export interface OpenSecond {
  readonly sent: number;
  /** Visitors who got the rendered page in time. */
  readonly pages: number;
  /** Visitors who got something else: the CSR page, 503, 500. */
  readonly others: number;
  /** Visitors who have left, or whose connection has failed. */
  readonly without: number;
}

/** Runs open-loop.ts in a process of its own: the benchmark's work must not delay visitors. */
export async function loadOpen(origin: string, load: OpenLoad): Promise<readonly OpenSecond[]> {
  const of = JSON.stringify({ origin, ...load });
  const child = fork(join(import.meta.dirname, 'open-loop.ts'), [of]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`open-loop.ts has ended with ${String(code)}`);
  });
  const [seconds] = (await Promise.race([once(child, 'message'), ended])) as [OpenSecond[]];
  ended.catch(() => undefined);
  return seconds;
}
