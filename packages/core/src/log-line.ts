import { describeBriefly } from './describe-error.ts';
import type { SsrError } from './errors.ts';

/** An error in one line of a log: code, message, and the address of its entry in the documentation. */
export function toLogLine({ code, message, docs }: SsrError): string {
  return `ng-ssr: ${code}: ${message} (${docs})`;
}

/** The same with the message of its cause, for logs that do not show the cause beside it. */
export function toLineWithCause({ code, message, docs, cause }: SsrError): string {
  const reason = cause === undefined ? '' : `: ${describeBriefly(cause)}`;
  return `ng-ssr: ${code}: ${message}${reason} (${docs})`.replaceAll(/\s*\n\s*/g, ' ');
}
