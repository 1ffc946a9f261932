import { closeParts } from '../path/close-parts.ts';
import type { Parts } from './compose-on-node.ts';

/**
 * Closes the parts of a server, and calls `onClose` at last.
 *
 * @throws SsrError `NG_SSR_CLOSE_FAILED`, already reported, with the first failure.
 */
export async function closeAll({ closings, core, options, server }: Parts): Promise<void> {
  const failure = await closeParts(
    [
      // Renders in flight may still be written to the shared store.
      ['the renders', () => server.scheduler.close()],
      ...closings,
      ['onClose', () => options.onClose?.()],
    ],
    core.report,
  );
  if (failure !== undefined) throw failure;
}
