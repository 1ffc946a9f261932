import { SsrError } from '../errors.ts';

/** Delays before a render that got no slot is tried again: the first, doubled up to the last. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * Retries a render of the server's own until there is a slot: requests come first.
 *
 * @throws SsrError `NG_SSR_OVERLOADED` if the server begins to close before that, or as `render`.
 */
export async function withSlot<T>(render: () => Promise<T>, closing: AbortSignal): Promise<T> {
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    try {
      return await render();
    } catch (error) {
      const isWithoutSlot = error instanceof SsrError && error.code === 'NG_SSR_OVERLOADED';
      if (!isWithoutSlot || closing.aborted) throw error;
      await waitUnlessAborted(waitMs, closing);
    }
  }
}

function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
