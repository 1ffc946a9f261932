import { noteFailure, noteStart } from '@ng-ssr/core/shutdown';

/**
 * Starts a server. If it cannot start, and nothing handles the error, the process prints one line and exits with 1.
 * Angular's engines log uncaught errors and let the process go on: without a server it would have nothing left to do,
 * and exit with 0, which service managers take for an intended stop.
 */
export async function orEndWithFailure<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    const started = await start();
    noteStart();
    return started;
  } catch (error) {
    noteFailure(error);
    throw error;
  }
}
