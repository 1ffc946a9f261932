import type { NegotiableEncoding } from '../../http/accept-encoding.ts';

/**
 * What follows the compressed part of a response, in its encoding. Added bytes are not compressed: the length of a
 * response must not depend on whether its personal part repeats something (BREACH).
 */
export interface Tail {
  /** More content, in parts. */
  add(...content: readonly Uint8Array[]): readonly Uint8Array[];
  /** The end of the content. */
  end(): readonly Uint8Array[];
}

/** What a tail needs to know of the content before it. */
export interface Before {
  readonly crc: number;
  readonly bytes: number;
}

/** As `zlib.crc32`. */
export type Crc32 = (content: Uint8Array, before?: number) => number;

/** @param crc32 - For gzip alone. */
export function tailOf(encoding: NegotiableEncoding, before: Before, crc32: Crc32): Tail {
  switch (encoding) {
    case 'identity':
      return { add: (...content) => content, end: () => [] };
    case 'gzip':
      return new GzipTail(before, crc32);
    case 'br':
      return { add: brotliBlocks, end: () => [BROTLI_END] };
    case 'zstd':
      return { add: zstdBlocks, end: () => [ZSTD_END] };
  }
}

/** A stored block of DEFLATE (RFC 1951 section 3.2.4) has at most this many bytes. */
const MOST_STORED = 65_535;

/** Stored blocks, then the checksum and length of all content (RFC 1952 section 2.3.1). */
class GzipTail implements Tail {
  readonly #crc32: Crc32;
  #crc: number;
  #bytes: number;

  constructor({ crc, bytes }: Before, crc32: Crc32) {
    this.#crc32 = crc32;
    this.#crc = crc;
    this.#bytes = bytes;
  }

  add(...content: readonly Uint8Array[]): readonly Uint8Array[] {
    for (const part of content) {
      this.#crc = this.#crc32(part, this.#crc);
      this.#bytes += part.byteLength;
    }
    return inBlocks(content, MOST_STORED, storedHeader);
  }

  end(): readonly Uint8Array[] {
    const trailer = new Uint8Array(LAST_STORED.length + 8);
    trailer.set(LAST_STORED);
    const view = new DataView(trailer.buffer);
    view.setUint32(LAST_STORED.length, this.#crc, true);
    // Modulo 2^32.
    view.setUint32(LAST_STORED.length + 4, this.#bytes, true);
    return [trailer];
  }
}

/** An empty last block. */
const LAST_STORED = [1, 0, 0, 0xff, 0xff];

function storedHeader(length: number): Uint8Array {
  return Uint8Array.of(0, length, length >>> 8, ~length, ~length >>> 8);
}

/** So that the length takes four nibbles (RFC 7932 section 9.2). */
const MOST_UNCOMPRESSED = 65_536;
/** An empty last meta-block. */
const BROTLI_END = Uint8Array.of(3);

function brotliBlocks(...content: readonly Uint8Array[]): readonly Uint8Array[] {
  return inBlocks(content, MOST_UNCOMPRESSED, uncompressedHeader);
}

/** Not the last one, MNIBBLES 4, MLEN - 1 in 16 bits, ISUNCOMPRESSED, and bits to the end of the byte. */
function uncompressedHeader(length: number): Uint8Array {
  return littleEndian(((length - 1) << 3) | (1 << 19));
}

/** The largest block that any frame may have (RFC 8878 section 3.1.1.2.4). */
const MOST_RAW = 128 * 1024;
/** An empty last raw block. */
const ZSTD_END = Uint8Array.of(1, 0, 0);

function zstdBlocks(...content: readonly Uint8Array[]): readonly Uint8Array[] {
  return inBlocks(content, MOST_RAW, rawHeader);
}

/** Not the last one, and raw. */
function rawHeader(length: number): Uint8Array {
  return littleEndian(length << 3);
}

/** Content in blocks, each behind its header. An empty block would mean something else in Brotli. */
function inBlocks(
  content: readonly Uint8Array[],
  most: number,
  headerOf: (length: number) => Uint8Array,
): readonly Uint8Array[] {
  let bytes = 0;
  for (const { byteLength } of content) bytes += byteLength;
  if (bytes === 0) return [];
  if (bytes <= most) return [headerOf(bytes), ...content];
  return content.flatMap((part) => {
    const blocks: Uint8Array[] = [];
    for (let at = 0; at < part.byteLength; at += most) {
      const block = part.subarray(at, at + most);
      blocks.push(headerOf(block.byteLength), block);
    }
    return blocks;
  });
}

/** Three bytes. */
function littleEndian(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16);
}
