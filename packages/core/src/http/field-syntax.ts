/** Whether a value is a field name (RFC 9110 section 5.1). */
export function isFieldName(text: unknown): boolean {
  return typeof text === 'string' && NAME.test(text);
}

/**
 * A field value that every server can send (RFC 9110 section 5.5): visible ASCII, spaces, tabs and obs-text.
 * `Headers` accepts control characters too, and node:http throws for them.
 */
export const FIELD_VALUE: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a value is a {@link FIELD_VALUE}. */
export function isFieldValue(text: unknown): boolean {
  return typeof text === 'string' && FIELD_VALUE.test(text);
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
