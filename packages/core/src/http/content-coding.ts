import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { ContentCoding } from './accept-encoding.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
// Node has zstd since 22.15; without it the coding is left out.
const zstd = zlib.zstdCompress === undefined ? undefined : promisify(zlib.zstdCompress);

/** How hard to work on a coding: as the levels of its own library. */
export type Levels = Readonly<Record<ContentCoding, number>>;

/** A coding must save this much to be worth a representation of its own. */
const WORTHWHILE = 0.95;

/**
 * Codes content on zlib's threads.
 *
 * @returns undefined when this runtime lacks the coding, or when it would save next to nothing.
 */
export async function encode(
  body: Uint8Array,
  coding: ContentCoding,
  levels: Levels,
): Promise<Uint8Array | undefined> {
  const coded = await start(body, coding, levels[coding]);
  return coded === undefined || coded.byteLength > body.byteLength * WORTHWHILE ? undefined : coded;
}

function start(
  body: Uint8Array,
  coding: ContentCoding,
  level: number,
): Promise<Uint8Array> | undefined {
  switch (coding) {
    case 'gzip':
      return gzip(body, { level });
    case 'br':
      return brotli(body, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: level,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
        },
      });
    case 'zstd':
      return zstd?.(body, { params: { [zlib.constants.ZSTD_c_compressionLevel]: level } });
  }
}
