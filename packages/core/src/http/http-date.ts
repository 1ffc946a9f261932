/** Formats a time in milliseconds as an IMF-fixdate (RFC 9110 section 5.6.7). */
export function toHttpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString();
}

/**
 * Reads an HTTP-date. Only IMF-fixdate is understood, the one form senders may generate; other
 * values count as no date, and the precondition is ignored as RFC 9110 section 13.1.3 asks.
 *
 * @returns milliseconds, or undefined when the value is not such a date.
 */
export function parseHttpDate(value: string): number | undefined {
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) || toHttpDate(timeMs) !== value ? undefined : timeMs;
}
