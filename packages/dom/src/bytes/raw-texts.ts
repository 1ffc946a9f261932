/** A text of a script or a style, which pages have again and again. */
export interface RawText {
  readonly bytes: Uint8Array;
  /** Whether programs that search the page for tags could find one in it, or it has half a character. */
  readonly isAmbiguous: boolean;
}

/** Above this size all texts are forgotten. */
const MAX_BYTES = 8 * 1024 * 1024;
const SHORT = 256;

let texts = new Map<string, RawText>();
let bytes = 0;
const encoder = new TextEncoder();

/**
 * The bytes of a text.
 *
 * @param isRepeated - Whether other pages have the text too: it is then encoded once.
 */
export function rawTextOf(text: string, isRepeated: boolean): RawText {
  if (!isRepeated || text.length < SHORT) return encode(text);
  let known = texts.get(text);
  if (known === undefined) {
    known = encode(text);
    if (bytes > MAX_BYTES) {
      texts = new Map();
      bytes = 0;
    }
    texts.set(text, known);
    bytes += known.bytes.length;
  }
  return known;
}

function encode(text: string): RawText {
  const isAmbiguous = /<\/|<link|<!--/i.test(text) || /\p{Surrogate}/u.test(text);
  return { bytes: encoder.encode(text), isAmbiguous };
}
