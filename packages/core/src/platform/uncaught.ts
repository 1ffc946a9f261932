import { isMainThread } from 'node:worker_threads';

/** Returns what to print about an error that ends the process. Undefined leaves the error to the runtime. */
export type UncaughtJudge = (error: unknown) => string | undefined;

const judges = new Set<UncaughtJudge>();

/**
 * Asks a judge about errors that nothing has caught, until {@link unwatchUncaught}. Where it returns a text, the
 * process prints the text and exits with 1.
 *
 * Listeners of your own decide in place of it; the exit code is 1 all the same. Angular's listeners do not count: they
 * log the error and let the process go on, so that it would exit with 0 when it has nothing left to do.
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
  if (!judges.delete(judge) || judges.size > 0) return;
  process.off('uncaughtExceptionMonitor', judgeException);
  process.off('unhandledRejection', judgeRejection);
}

function judgeException(error: unknown): void {
  const text = textOf(error);
  if (text !== undefined) end(text, 'uncaughtException');
}

function judgeRejection(error: unknown): void {
  const text = textOf(error);
  if (text !== undefined) end(text, 'unhandledRejection');
  // Without a listener the runtime would throw it.
  else if (process.listenerCount('unhandledRejection') === 1) throw error;
}

function textOf(error: unknown): string | undefined {
  for (const judge of judges) {
    const text = judge(error);
    if (text !== undefined) return text;
  }
  return undefined;
}

function end(text: string, event: 'uncaughtException' | 'unhandledRejection'): void {
  const listeners: readonly unknown[] = process.listeners(event as 'uncaughtException');
  if (listeners.every((listener) => listener === judgeRejection || isAngulars(listener))) {
    console.error(text);
    process.exit(process.exitCode || 1);
  }
  process.exitCode ||= 1;
}

/** `(error) => console.error('uncaughtException', error)`, also minified: Angular does not export its listeners. */
function isAngulars(listener: unknown): boolean {
  return /console\.error\(\s*["'`](?:uncaughtException|unhandledRejection)["'`]/.test(
    String(listener),
  );
}
