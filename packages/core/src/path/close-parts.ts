import { SsrError } from '../errors.ts';

/** What is closed, as messages name it, and how. */
export type Closing = readonly [name: string, close: () => unknown];

/**
 * Closes parts of a server in their order, each even if another one has failed. Never rejects.
 *
 * @returns the first failure. All are reported.
 */
export async function closeParts(
  parts: readonly Closing[],
  report: (error: SsrError) => void,
): Promise<SsrError | undefined> {
  let first: SsrError | undefined;
  for (const [name, close] of parts) {
    try {
      await close();
    } catch (cause) {
      const message = name === 'onClose' ? 'onClose failed' : `${name} could not be closed`;
      const error = new SsrError('NG_SSR_CLOSE_FAILED', message, { cause });
      first ??= error;
      report(error);
    }
  }
  return first;
}
