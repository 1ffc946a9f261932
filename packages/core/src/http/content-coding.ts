import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { check } from '../check-option.ts';
import { CODINGS, type ContentCoding } from './accept-encoding.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
// Node has zstd since 22.15; without it the coding is left out.
const zstd = zlib.zstdCompress === undefined ? undefined : promisify(zlib.zstdCompress);

/** The codings that this runtime can make. */
export const AVAILABLE: readonly ContentCoding[] = CODINGS.filter(
  (coding) => coding !== 'zstd' || zstd !== undefined,
);

/**
 * Checks an option that lists codings.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkCodings(name: string, codings: readonly ContentCoding[]): void {
  const allowed = `a list of ${CODINGS.join(', ')}`;
  check(name, codings, Array.isArray(codings), allowed);
  for (const coding of codings) check(name, coding, CODINGS.includes(coding), allowed);
}

/** How hard to work on a coding: as the levels of its own library. */
export type Levels = Readonly<Record<ContentCoding, number>>;

/** Node's own. */
const LEAST_CHUNK_BYTES = 16 * 1024;
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
  if (coded === undefined || coded.byteLength > body.byteLength * WORTHWHILE) return undefined;
  // Alone: the buffer that zlib has filled in part would stay as long as the coding does.
  return Buffer.from(coded);
}

function start(
  body: Uint8Array,
  coding: ContentCoding,
  level: number,
): Promise<Uint8Array> | undefined {
  const { byteLength } = body;
  // Each further chunk waits for the main thread, which may be within a render.
  const chunkSize = Math.max(LEAST_CHUNK_BYTES, Math.ceil(byteLength / 4));
  switch (coding) {
    case 'gzip':
      return gzip(body, { level, chunkSize });
    case 'br':
      return brotli(body, {
        chunkSize,
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: level,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: byteLength,
        },
      });
    case 'zstd':
      return zstd?.(body, {
        chunkSize,
        // Quicker at low levels where the size is known.
        pledgedSrcSize: byteLength,
        params: { [zlib.constants.ZSTD_c_compressionLevel]: level },
      });
  }
}
