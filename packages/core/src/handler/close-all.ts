import { SsrError } from '../errors.ts';
import type { Parts } from './compose-on-node.ts';

/**
 * Closes the parts of a server, each even if another one has failed, and calls `onClose` at last.
 *
 * @throws SsrError `NG_SSR_CLOSE_FAILED`, already reported; else what the first part has thrown.
 */
export async function closeAll({ core, extensions, options, server }: Parts): Promise<void> {
  const steps = [
    // Renders under way may still be written to the shared store.
    () => server.scheduler.close(),
    ...extensions.map((each) => () => each.close?.()),
    () => server.pages.close(),
  ];
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (cause) {
      failures.push(cause);
    }
  }
  try {
    await options.onClose?.();
  } catch (cause) {
    const error = new SsrError('NG_SSR_CLOSE_FAILED', 'onClose has failed', { cause });
    core.report(error);
    throw error;
  }
  if (failures.length > 0) throw failures[0];
}
