/** Whether a text is a field name (RFC 9110 section 5.1). */
export function isFieldName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Whether every server can send a text as a field value (RFC 9110 section 5.5): visible ASCII, spaces, tabs
 * and obs-text. `Headers` accepts control characters too, and node:http throws for them.
 */
export function isFieldValue(text: string): boolean {
  return VALUE.test(text);
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
