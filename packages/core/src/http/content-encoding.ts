import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { inOwnMemory } from '../shared-bytes.ts';
import { ENCODINGS, type ContentEncoding } from './accept-encoding.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
// Node has zstd since 22.15; without it the encoding is left out.
const zstd = zlib.zstdCompress === undefined ? undefined : promisify(zlib.zstdCompress);

/** The encodings that this runtime can make. */
export const AVAILABLE: readonly ContentEncoding[] = ENCODINGS.filter(
  (encoding) => encoding !== 'zstd' || zstd !== undefined,
);

/** The compression level of each encoding, on the scale of its own library. */
export type Levels = Readonly<Record<ContentEncoding, number>>;

/** Node's default. */
const LEAST_CHUNK_BYTES = 16 * 1024;
/** Encoded content that is larger than this share of the original is not worth a representation of its own. */
const WORTHWHILE = 0.95;

/**
 * Work on zlib's threads cannot be aborted, not even by a process that exits: brotli at its best takes
 * seconds for a MiB, and a tenth of a second for a piece of this size.
 */
const PIECE_BYTES = 64 * 1024;

/**
 * Encodes content on zlib's threads in one go: the main thread may be busy with a render when a second piece
 * would start.
 *
 * @returns undefined when this runtime lacks the encoding, or when it would save next to nothing.
 */
export async function encode(
  body: Uint8Array,
  encoding: ContentEncoding,
  levels: Levels,
): Promise<Uint8Array | undefined> {
  return worthwhile(await atOnce(body, encoding, levels[encoding]), body);
}

/** The same in pieces, for slow encodings: the process can exit between two of them. */
export async function encodeInPieces(
  body: Uint8Array,
  encoding: ContentEncoding,
  levels: Levels,
): Promise<Uint8Array | undefined> {
  const encoder = createEncoder(encoding, levels[encoding], body.byteLength);
  if (encoder === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  await pipeline(piecesOf(body), encoder, async (encoded: AsyncIterable<Uint8Array>) => {
    for await (const chunk of encoded) chunks.push(chunk);
  });
  return worthwhile(Buffer.concat(chunks), body);
}

function worthwhile(encoded: Uint8Array | undefined, body: Uint8Array): Uint8Array | undefined {
  if (encoded === undefined || encoded.byteLength > body.byteLength * WORTHWHILE) return undefined;
  return inOwnMemory(encoded);
}

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += PIECE_BYTES) {
    yield body.subarray(at, at + PIECE_BYTES);
  }
}

function atOnce(
  body: Uint8Array,
  encoding: ContentEncoding,
  level: number,
): Promise<Uint8Array> | undefined {
  const { byteLength } = body;
  switch (encoding) {
    case 'gzip':
      return gzip(body, gzipOptions(level, byteLength));
    case 'br':
      return brotli(body, brotliOptions(level, byteLength));
    case 'zstd':
      return zstd?.(body, zstdOptions(level, byteLength));
  }
}

function createEncoder(
  encoding: ContentEncoding,
  level: number,
  byteLength: number,
): Transform | undefined {
  switch (encoding) {
    case 'gzip':
      return zlib.createGzip(gzipOptions(level, byteLength));
    case 'br':
      return zlib.createBrotliCompress(brotliOptions(level, byteLength));
    case 'zstd':
      return zlib.createZstdCompress?.(zstdOptions(level, byteLength));
  }
}

function gzipOptions(level: number, byteLength: number): zlib.ZlibOptions {
  return { level, chunkSize: chunkSizeFor(byteLength) };
}

function brotliOptions(level: number, byteLength: number): zlib.BrotliOptions {
  return {
    chunkSize: chunkSizeFor(byteLength),
    params: {
      [zlib.constants.BROTLI_PARAM_QUALITY]: level,
      [zlib.constants.BROTLI_PARAM_SIZE_HINT]: byteLength,
    },
  };
}

function zstdOptions(level: number, byteLength: number): zlib.ZstdOptions {
  return {
    chunkSize: chunkSizeFor(byteLength),
    // Faster at low levels when the size is known.
    pledgedSrcSize: byteLength,
    params: { [zlib.constants.ZSTD_c_compressionLevel]: level },
  };
}

/** Each further chunk waits for the main thread, which may be busy with a render. */
function chunkSizeFor(byteLength: number): number {
  return Math.max(LEAST_CHUNK_BYTES, Math.ceil(byteLength / 4));
}
