/** The bytes of a text in base64 (RFC 4648 section 4). */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64: decode } = Uint8Array as Decoding;
  if (decode !== undefined) return decode.call(Uint8Array, text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** ECMAScript 2026, which not all runtimes have. */
interface Decoding {
  readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
}
