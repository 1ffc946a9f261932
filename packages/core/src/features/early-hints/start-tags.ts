/** The attributes of a start tag, by name in lower case. */
export type Attributes = ReadonlyMap<string, string>;

/** Bound the work for one document. */
const MOST_TAGS = 200;
const MOST_TAG_LENGTH = 2000;

/**
 * The start tags with a name, in their order, wherever they are written: where critical CSS is inlined, the
 * plain links of styles are in `<noscript>`. Raw text may look like a tag, so a caller checks what it reads.
 *
 * @param html - In UTF-8.
 * @param name - In lower case, as Angular writes tags.
 */
export function* startTagsOf(html: Uint8Array, name: string): Iterable<Attributes> {
  const bytes = Buffer.from(html.buffer, html.byteOffset, html.byteLength);
  const opening = `<${name}`;
  let at = bytes.indexOf(opening);
  for (let count = 0; at !== -1 && count < MOST_TAGS; count++) {
    const start = at + opening.length;
    // A `>` within a value ends the tag too early: it then has fewer attributes, and no others.
    const end = bytes.indexOf(0x3e /* > */, start);
    if (end === -1) return;
    if (end - start <= MOST_TAG_LENGTH) yield readAttributes(bytes.toString('utf8', start, end));
    at = bytes.indexOf(opening, start);
  }
}

/** An attribute after the tag's name or another attribute: its name, and its value in or without quotes. */
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;

/** Of two attributes with one name the first counts, as in browsers. */
function readAttributes(text: string): Attributes {
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, name = '', inDouble, inSingle, bare] = found;
    const value = inDouble ?? inSingle ?? bare ?? '';
    // The only reference that serializers write in URLs.
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, value.replaceAll('&amp;', '&'));
  }
  return attributes;
}
