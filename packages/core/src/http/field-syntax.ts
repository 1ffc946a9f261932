/** Whether a text is a field name (RFC 9110 section 5.1). */
export function isFieldName(text: string): boolean {
  return NAME.test(text);
}

/**
 * A field value that every server can send (RFC 9110 section 5.5): visible ASCII, spaces, tabs and obs-text.
 * `Headers` accepts control characters too, and node:http throws for them.
 */
export const FIELD_VALUE: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a text is a {@link FIELD_VALUE}. */
export function isFieldValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
