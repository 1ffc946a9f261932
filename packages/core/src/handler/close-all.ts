import { SsrError } from '../errors.ts';
import type { Parts } from './compose-on-node.ts';

/**
 * Closes the parts of a server, each even if another one has failed, and calls `onClose` at last.
 *
 * @throws SsrError `NG_SSR_CLOSE_FAILED`, already reported, with the first failure.
 */
export async function closeAll({ core, options, server }: Parts): Promise<void> {
  const steps: readonly (readonly [what: string, close: () => unknown])[] = [
    // Renders under way may still be written to the shared store.
    ['the renders', () => server.scheduler.close()],
    ...[...server.extensions].map(
      ([name, each]) => [`the feature ${name}`, () => each.close?.()] as const,
    ),
    ['the stored pages', () => server.pages.close()],
    ['onClose', () => options.onClose?.()],
  ];
  const failures: SsrError[] = [];
  for (const [what, close] of steps) {
    try {
      await close();
    } catch (cause) {
      const message = what === 'onClose' ? 'onClose has failed' : `${what} could not be closed`;
      failures.push(new SsrError('NG_SSR_CLOSE_FAILED', message, { cause }));
      core.report(failures.at(-1)!);
    }
  }
  if (failures.length > 0) throw failures[0];
}
