import { describeBriefly } from './describe-error.ts';

/** The members of an SsrError that a line shows. */
interface Logged {
  readonly code: string;
  readonly message: string;
  readonly docs: string;
  readonly cause?: unknown;
}

/** An error in one line of a log: code, message, and the address of its entry in the documentation. */
export function toLogLine({ code, message, docs }: Logged): string {
  return `ng-ssr: ${code}: ${message} (${docs})`;
}

/** The same with the message of its cause, for logs that do not show the cause beside it. */
export function toLineWithCause({ code, message, docs, cause }: Logged): string {
  const reason = cause === undefined ? '' : `: ${describeBriefly(cause)}`;
  return `ng-ssr: ${code}: ${message}${reason} (${docs})`.replaceAll(/\s*\n\s*/g, ' ');
}
