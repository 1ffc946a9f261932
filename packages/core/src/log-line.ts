import { describeBriefly } from './describe-error.ts';

/** The members of an SsrError that a line shows. */
interface Logged {
  readonly code: string;
  readonly message: string;
  readonly docs: string;
  readonly cause?: unknown;
}

/** As `toLogLine`, with the message of the cause, for logs that do not show the cause beside it. */
export function toLineWithCause({ code, message, docs, cause }: Logged): string {
  const reason = cause === undefined ? '' : `: ${describeBriefly(cause)}`;
  return `ng-ssr: ${code}: ${message}${reason} (${docs})`.replaceAll(/\s*\n\s*/g, ' ');
}
