/** Errors for which a server could not start, if they are objects. */
const failures = new WeakSet<object>();
let isWatching = false;

/**
 * Starts a server. If it cannot start, and nothing handles that, the process ends with 1. Angular's engines log
 * uncaught errors and let the process go on: without a server it would have nothing left to do, and end with 0, which
 * service managers take for a stop that was meant.
 */
export async function orEndWithFailure<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (typeof error === 'object' && error !== null) failures.add(error);
    watch();
    throw error;
  }
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  const note = (error: unknown): void => {
    if (typeof error === 'object' && error !== null && failures.has(error)) process.exitCode ??= 1;
  };
  process.on('uncaughtExceptionMonitor', note);
  // Without a listener Node ends the process: one of ours alone would prevent that.
  if (process.listenerCount('unhandledRejection') > 0) process.on('unhandledRejection', note);
}
