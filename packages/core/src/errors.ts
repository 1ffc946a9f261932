import { platform } from '#platform';
import type { ERROR_CODES } from './error-codes.ts';
import { toLineWithCause } from './log-line.ts';
import { withoutSecrets } from './without-secrets.ts';

export { ERROR_CODES } from './error-codes.ts';

/** A code of {@link ERROR_CODES}. */
export type SsrErrorCode = keyof typeof ERROR_CODES;

/** The page that has an entry for each code; the anchor is the code in lower case. */
export const ERRORS_PAGE = 'https://github.com/ng-ssr/ng-ssr/blob/main/docs/errors.md';

/** The address of a code's entry in the documentation. */
export function docsOf(code: SsrErrorCode): string {
  return `${ERRORS_PAGE}#${code.toLowerCase()}`;
}

/**
 * An error of ng-ssr. `code` is stable, `message` is for people, `cause` is the underlying error, and `docs` links to its
 * entry in the documentation. Secrets in URLs are left out of the message.
 */
export class SsrError extends Error {
  readonly code: SsrErrorCode;
  readonly docs: string;
  override readonly name = 'SsrError';

  // Not ErrorOptions: applications that began with Angular 11 or before have an older lib.
  constructor(code: SsrErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(withoutSecrets(message), options);
    this.code = code;
    this.docs = docsOf(code);
    // Before a server has started, it may be a wrong option, for which the program ends.
    if (isStarting) platform.watchUncaught(describeOwn);
  }
}

let isStarting = true;

/** Errors of ng-ssr that nothing catches are left to the runtime from now on. */
export function endOfStart(): void {
  isStarting = false;
  platform.unwatchUncaught(describeOwn);
}

/** Whether an error is one of ng-ssr, also of another copy of this module: a bundle has its own. Never throws. */
export function isSsrError(error: unknown): error is SsrError {
  try {
    return error instanceof Error && error.name === 'SsrError' && 'docs' in error;
  } catch {
    // A getter, or a proxy that is revoked.
    return false;
  }
}

/** Runtimes would print the line of the source first, which is the whole bundle where that is minified. */
function describeOwn(error: unknown): string | undefined {
  return isSsrError(error) ? toLineWithCause(error) : undefined;
}

/** An error in one line of a log: code, message, and the address of its entry in the documentation. */
export function toLogLine({ code, message, docs }: SsrError): string {
  return `ng-ssr: ${code}: ${message} (${docs})`;
}
