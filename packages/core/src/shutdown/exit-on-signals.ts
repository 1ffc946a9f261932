import { constants } from 'node:os';
import { SsrError } from '../errors.ts';
import { leaveCluster } from './leave-cluster.ts';

type Signal = 'SIGTERM' | 'SIGINT';

const SIGNALS: readonly Signal[] = ['SIGTERM', 'SIGINT'];

/**
 * Within this time a signal is a duplicate of the first: a terminal sends Ctrl-C to every process of its
 * group, and a parent in that group forwards it once more.
 */
const ECHO_MS = 250;

/** The shutdowns of this process's servers: the process exits when all have ended. */
const running = new Set<() => Promise<boolean>>();
let firstSignalAtMs: number | undefined;

/**
 * Makes SIGTERM and SIGINT shut a server down and exit the process: with 0 when every request was answered,
 * with 1 when time ran out, and at once with 128 plus the signal's number on a second signal.
 *
 * @param shutDown - Resolves to whether everything ended in time; later calls get the same promise.
 * @returns a function that stops listening to the signals.
 */
export function exitOnSignals(shutDown: () => Promise<boolean>): () => void {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  running.add(shutDown);
  // The server began to listen while others shut down.
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
  const code = await shutDownAll();
  try {
    await leaveCluster();
  } finally {
    process.exit(code);
  }
}

/** @returns the code to exit with. */
async function shutDownAll(): Promise<0 | 1> {
  try {
    let outcomes: readonly boolean[] = [];
    for (let known = -1; known < running.size;) {
      known = running.size;
      outcomes = await Promise.all([...running].map((shutDown) => shutDown()));
    }
    return outcomes.every((isInTime) => isInTime) ? 0 : 1;
  } catch (error) {
    // An SsrError has already been reported.
    if (!(error instanceof SsrError)) console.error('ng-ssr: shutdown:', error);
    return 1;
  }
}
