import { constants } from 'node:os';
import { SsrError } from '../errors.ts';

type Signal = 'SIGTERM' | 'SIGINT';

const SIGNALS: readonly Signal[] = ['SIGTERM', 'SIGINT'];

/**
 * Within this time a signal is the echo of the first: a terminal sends Ctrl-C to every process of its
 * group, and a parent that is one of them hands it on once more.
 */
const ECHO_MS = 250;

/** The servers of this process: it ends when all have. */
const running = new Set<() => Promise<boolean>>();
let firstSignalAtMs: number | undefined;

/**
 * Has SIGTERM and SIGINT shut a server down and end the process: with 0 when every request was
 * answered, with 1 when time ran out, and at once with 128 plus the signal's number when a second one
 * comes.
 *
 * @param shutDown - Resolves to whether all had ended in time; later calls get the same promise.
 * @returns leaves the signals alone again.
 */
export function exitOnSignals(shutDown: () => Promise<boolean>): () => void {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  running.add(shutDown);
  // A server that begins to listen while others end.
  if (firstSignalAtMs !== undefined) shutDown().catch(() => undefined);
  return () => {
    if (!running.delete(shutDown) || running.size > 0) return;
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

function onSignal(signal: Signal): void {
  const nowMs = performance.now();
  if (firstSignalAtMs === undefined) {
    firstSignalAtMs = nowMs;
    void exit();
  } else if (nowMs - firstSignalAtMs > ECHO_MS) {
    process.exit(128 + constants.signals[signal]);
  }
}

async function exit(): Promise<void> {
  try {
    let outcomes: readonly boolean[] = [];
    for (let known = -1; known < running.size;) {
      known = running.size;
      outcomes = await Promise.all([...running].map((shutDown) => shutDown()));
    }
    process.exit(outcomes.every((isInTime) => isInTime) ? 0 : 1);
  } catch (error) {
    // An error of ours has been reported.
    if (!(error instanceof SsrError)) console.error('ng-ssr: shutdown:', error);
    process.exit(1);
  }
}
