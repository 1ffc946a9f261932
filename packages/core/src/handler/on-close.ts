import { SsrError } from '../errors.ts';
import type { Parts } from './compose.ts';

/** @throws SsrError `NG_SSR_CLOSE_FAILED`, already reported. */
export async function callOnClose({ options, report }: Parts): Promise<void> {
  try {
    await options.onClose?.();
  } catch (cause) {
    const error = new SsrError('NG_SSR_CLOSE_FAILED', 'onClose has failed', { cause });
    report(error);
    throw error;
  }
}
