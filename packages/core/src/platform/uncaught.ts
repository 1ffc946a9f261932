import { isMainThread } from 'node:worker_threads';

/** Returns what to print about an error that ends the process. Undefined leaves the error to the runtime. */
export type UncaughtJudge = (error: unknown) => string | undefined;

const judges = new Set<UncaughtJudge>();
/** Whether the process is to end with 1 for a judged error that listeners of the program's own have handled. */
let isFailed = false;

/**
 * Asks a judge about errors that nothing has caught, until {@link unwatchUncaught}. Where it returns a text, the
 * process prints the text and exits with 1.
 *
 * Listeners of your own decide in place of it, and so does a domain; the exit code is 1 all the same, until a
 * judge is dismissed. Angular's listeners do not count: they log the error and let the process go on, so that it would exit with
 * 0 when it has nothing left to do.
 *
 * In worker threads it does nothing: their errors are events of the main thread.
 */
export function watchUncaught(judge: UncaughtJudge): void {
  if (!isMainThread) return;
  if (judges.size === 0) {
    process.on('uncaughtExceptionMonitor', judgeException);
    // First, because Angular's listener would print the error before this one ends the process.
    process.prependListener('unhandledRejection', judgeRejection);
  }
  judges.add(judge);
}

export function unwatchUncaught(judge: UncaughtJudge): void {
  if (isFailed && process.exitCode === 1) process.exitCode = undefined;
  isFailed = false;
  if (!judges.delete(judge) || judges.size > 0) return;
  process.off('uncaughtExceptionMonitor', judgeException);
  process.off('unhandledRejection', judgeRejection);
}

function judgeException(error: unknown): void {
  const isCaptured = process.hasUncaughtExceptionCaptureCallback?.() === true;
  decide(error, 'uncaughtException', isCaptured);
}

function judgeRejection(error: unknown): void {
  const isJudged = decide(error, 'unhandledRejection', false);
  if (!isJudged && process.listenerCount('unhandledRejection') === 1) leaveToRuntime(error);
}

/** The runtime throws a rejection without a listener, or warns only: `--unhandled-rejections` says which. */
function leaveToRuntime(error: unknown): void {
  process.off('unhandledRejection', judgeRejection);
  void Promise.reject(error);
  setImmediate(() => {
    const isListening = process.listeners('unhandledRejection').includes(judgeRejection);
    if (judges.size > 0 && !isListening)
      process.prependListener('unhandledRejection', judgeRejection);
  });
}

/** @returns false for an error that is left to the runtime. */
function decide(
  error: unknown,
  event: 'uncaughtException' | 'unhandledRejection',
  isCaptured: boolean,
): boolean {
  for (const each of judges) {
    const text = each(error);
    if (text === undefined) continue;
    const listeners: readonly unknown[] = process.listeners(event as 'uncaughtException');
    const isUnheard = listeners.every((one) => one === judgeRejection || isAngulars(one));
    if (isUnheard && !isCaptured) {
      console.error(text);
      process.exit(process.exitCode || 1);
    }
    if (!process.exitCode) {
      process.exitCode = 1;
      isFailed = true;
    }
    return true;
  }
  return false;
}

/**
 * `(error) => console.error('uncaughtException', error)`, also minified, and nothing more: a listener of the program's
 * own may begin so. Angular does not export its listeners.
 */
function isAngulars(listener: unknown): boolean {
  return /^\(?([\w$]+)\)?\s*=>\s*console\.error\(\s*(["'`])(?:uncaughtException|unhandledRejection)\2,\s*\1\s*\)$/.test(
    String(listener),
  );
}
