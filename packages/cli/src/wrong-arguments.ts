import { SsrError } from '@ng-ssr/core/pack';

/** The error for arguments that a command cannot take; the command ends with 2. */
export function wrongArguments(reason: string): SsrError {
  return new SsrError('NG_SSR_COMMAND_INVALID', reason);
}
