import { trimOws } from './optional-whitespace.ts';

/**
 * Whether an If-None-Match or If-Match value names an entity tag (RFC 9110 sections 13.1.1 and 13.1.2). The
 * list is scanned once, without splitting: a tag may contain commas.
 *
 * @param field - The field's value: `*`, or a list of entity tags.
 * @param etag - The selected representation's tag, strong (`"..."`) or weak (`W/"..."`).
 * @param strong - Whether to use the strong comparison (If-Match), else the weak one.
 */
export function listsTag(field: string, etag: string, strong = false): boolean {
  if (field === '*') return true;
  const isWeak = etag.charCodeAt(0) === 0x57; /* W */
  if (isWeak && strong) return false;
  const opaque = isWeak ? etag.slice(2) : etag;
  let at = 0;
  while (at < field.length) {
    const open = field.indexOf('"', at);
    if (open === -1) return trimOws(field) === '*';
    const close = field.indexOf('"', open + 1);
    if (close === -1) return false;
    const weak =
      open >= 2 && field.charCodeAt(open - 1) === 0x2f && field.charCodeAt(open - 2) === 0x57;
    if (close - open + 1 === opaque.length && !(weak && strong) && field.startsWith(opaque, open)) {
      return true;
    }
    at = close + 1;
  }
  return false;
}
