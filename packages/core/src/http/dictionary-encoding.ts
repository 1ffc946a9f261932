/** A content encoding with a dictionary: Brotli (RFC 9842 section 4) or Zstandard (section 5). */
export type DictionaryEncoding = 'dcb' | 'dcz';

/** The encodings with a dictionary, in the server's order of preference. */
export const DICTIONARY_ENCODINGS: readonly DictionaryEncoding[] = ['dcb', 'dcz'];

/** With these bytes begins a dictionary in Zstandard's own format, which zlib would read as one. */
const ZSTD_DICTIONARY = [0x37, 0xa4, 0x30, 0xec];

/** A shorter one saves next to nothing. */
const LEAST_DICTIONARY_BYTES = 1024;
/** Bounds the memory of dictionaries, and the time of encoding: each encoding reads all of it. */
const MOST_DICTIONARY_BYTES = 4 * 1024 * 1024;

/** Whether content can be a dictionary of the type `raw` (RFC 9842 section 2.1.4). */
export function canBeDictionary(content: Uint8Array): boolean {
  const { byteLength } = content;
  if (byteLength < LEAST_DICTIONARY_BYTES || byteLength > MOST_DICTIONARY_BYTES) return false;
  return ZSTD_DICTIONARY.some((byte, at) => content[at] !== byte);
}

/** The level of each encoding, on the scale of its own library. */
export type DictionaryLevels = Readonly<Record<DictionaryEncoding, number>>;
