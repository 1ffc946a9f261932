import { trimOws } from './optional-whitespace.ts';

/**
 * Whether an If-None-Match or If-Match value names an ETag (RFC 9110 sections 13.1.1 and 13.1.2). The
 * list is scanned once, without splitting: a tag may contain commas.
 *
 * @param header - The header's value: `*`, or a list of ETags.
 * @param etag - The selected representation's tag, strong (`"..."`) or weak (`W/"..."`).
 * @param strong - Whether to use the strong comparison (If-Match), else the weak one.
 */
export function listsTag(header: string, etag: string, strong = false): boolean {
  if (header === '*') return true;
  const isWeak = etag.charCodeAt(0) === 0x57; /* W */
  if (isWeak && strong) return false;
  const opaque = isWeak ? etag.slice(2) : etag;
  let at = 0;
  while (at < header.length) {
    const open = header.indexOf('"', at);
    if (open === -1) return trimOws(header) === '*';
    const close = header.indexOf('"', open + 1);
    if (close === -1) return false;
    const weak =
      open >= 2 && header.charCodeAt(open - 1) === 0x2f && header.charCodeAt(open - 2) === 0x57;
    if (
      close - open + 1 === opaque.length &&
      !(weak && strong) &&
      header.startsWith(opaque, open)
    ) {
      return true;
    }
    at = close + 1;
  }
  return false;
}
