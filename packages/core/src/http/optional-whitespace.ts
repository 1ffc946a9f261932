/**
 * Trims optional whitespace from both ends of a header value or a part of one: spaces and tabs (RFC 9110
 * section 5.6.3) and nothing else. `String.trim` also removes characters such as U+00A0, which the engine
 * still sees: two values of a header would have one key and two pages.
 */
export function trimOws(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isOws(text.charCodeAt(start))) start++;
  while (end > start && isOws(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isOws(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
