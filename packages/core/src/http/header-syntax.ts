/** Whether a value is a header name (RFC 9110 section 5.1). */
export function isHeaderName(text: unknown): boolean {
  return typeof text === 'string' && NAME.test(text);
}

/**
 * A header value that every server can send (RFC 9110 section 5.5): visible ASCII, spaces, tabs and obs-text.
 * `Headers` accepts control characters too, and node:http throws for them.
 */
export const HEADER_VALUE: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a value is a {@link HEADER_VALUE}. */
export function isHeaderValue(text: unknown): boolean {
  return typeof text === 'string' && HEADER_VALUE.test(text);
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
