import { setTimeout as delay } from 'node:timers/promises';
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';
import { shutdown } from '../../../node/test/shutdown/child.ts';

/** What the documentation has users of Bun and Deno write: the answers while it drains ... */
export function closing(
  ssr: FetchSsrHandler,
  answer: (request: Request) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await answer(request);
    if (ssr.isDraining) response.headers.set('Connection', 'close');
    return response;
  };
}

/** ... and the end. Kept connections get the time for an answer that says it closes. */
export function endOnSigterm(ssr: FetchSsrHandler, stop: () => Promise<unknown>): void {
  process.once('SIGTERM', async () => {
    ssr.drain();
    await delay((shutdown || {}).graceMs || 1000);
    await Promise.race([stop(), delay(5000)]);
    await ssr.close();
    process.exit();
  });
}
