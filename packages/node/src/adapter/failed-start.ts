import { isRenderThread, SsrError } from '@ng-ssr/core/adapter';
import { noteFailure, noteStart } from '@ng-ssr/core/shutdown';

const IN_RENDER_THREAD =
  'listen() was called in a render thread, which also runs the whole program: call it only if ' +
  'isMainModule(import.meta.url) is true';

/**
 * Starts a server. If it cannot start, and nothing handles the error, the process prints one line and exits with 1.
 * Angular's engines log uncaught errors and let the process go on: without a server it would have nothing left to do,
 * and exit with 0, which service managers take for an intended stop.
 *
 * @throws SsrError `NG_SSR_WORKER_NOT_STARTED` at once, before a promise, in a render thread: a program that does not wait
 * for the promise must fail there, too.
 */
export function orEndWithFailure<Started>(start: () => Promise<Started>): Promise<Started> {
  if (isRenderThread) throw new SsrError('NG_SSR_WORKER_NOT_STARTED', IN_RENDER_THREAD);
  return startOrNote(start);
}

async function startOrNote<Started>(start: () => Promise<Started>): Promise<Started> {
  try {
    const started = await start();
    noteStart();
    return started;
  } catch (error) {
    noteFailure(error);
    throw error;
  }
}
