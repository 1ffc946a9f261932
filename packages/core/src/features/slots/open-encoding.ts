import type * as Zlib from 'node:zlib';
import { platform } from '#platform';
import { inOwnMemory } from '../../shared-bytes.ts';
import { type ContentEncoding, ENCODINGS } from '../../http/accept-encoding.ts';
import { type Before, type Crc32, type Tail, tailOf } from './tails.ts';

/** Content in an encoding that has no end yet. */
export interface OpenContent {
  readonly bytes: Uint8Array;
  /** A tail for one response. */
  tail(): Tail;
}

/** As for rendered pages: `PageEncoder`. */
const LEVELS = { zstd: 3, br: 5, gzip: 6 } as const;
/** Deflate, no flags, no date, Unix (RFC 1952 section 2.3). */
const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);

/** Undefined on platforms without it, and in Node before 20.16: pages with slots are then sent unencoded. */
const zlib = platform.name === 'node' ? builtinZlib() : undefined;

/** The encodings that this runtime may be able to leave open. */
export const OPEN_ENCODINGS: readonly ContentEncoding[] = ENCODINGS.filter(
  (encoding) => zlib !== undefined && (encoding !== 'zstd' || zlib.zstdCompress !== undefined),
);

const checks = new Map<ContentEncoding, Promise<boolean>>();

/**
 * Encodes content on zlib's threads, and leaves the encoding open.
 *
 * @param encoding - One of {@link OPEN_ENCODINGS}.
 * @returns undefined if it saves nothing, or if the zlib of this runtime is another than Node's and cannot do it.
 */
export async function openContent(
  content: Uint8Array,
  encoding: ContentEncoding,
): Promise<OpenContent | undefined> {
  let check = checks.get(encoding);
  if (check === undefined) checks.set(encoding, (check = isSound(encoding)));
  if (!(await check)) return undefined;
  const open = await encode(content, encoding);
  return open.bytes.byteLength < content.byteLength ? open : undefined;
}

async function encode(content: Uint8Array, encoding: ContentEncoding): Promise<OpenContent> {
  const compressed = await new Promise<Uint8Array>((resolve, reject) => {
    compress(zlib!, content, encoding, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
  const { crc32 } = zlib!;
  const before = { crc: encoding === 'gzip' ? crc32(content) : 0, bytes: content.byteLength };
  const bytes = encoding === 'gzip' ? joined([GZIP_HEADER, compressed]) : inOwnMemory(compressed);
  return { bytes, tail: () => tailOf(encoding, before, crc32) };
}

/** Content as it is. */
export function unencoded(content: Uint8Array): OpenContent {
  return { bytes: content, tail: () => tailOf('identity', NOTHING, noCrc32) };
}

/** One view of several parts, as servers of the platform take it. Of one part no copy. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((bytes, { byteLength }) => bytes + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return platform.viewOf(whole);
}

const NOTHING: Before = { crc: 0, bytes: 0 };
const noCrc32: Crc32 = () => 0;

function builtinZlib(): typeof Zlib | undefined {
  const { getBuiltinModule } = process as Partial<Pick<NodeJS.Process, 'getBuiltinModule'>>;
  const found = getBuiltinModule?.('node:zlib');
  return found?.crc32 === undefined ? undefined : found;
}

function compress(
  { brotliCompress, constants, deflateRaw, zstdCompress }: typeof Zlib,
  content: Uint8Array,
  encoding: ContentEncoding,
  done: (error: Error | null, result: Uint8Array) => void,
): void {
  switch (encoding) {
    case 'gzip':
      return deflateRaw(content, { level: LEVELS.gzip, finishFlush: constants.Z_SYNC_FLUSH }, done);
    case 'br':
      return brotliCompress(
        content,
        {
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
          params: {
            [constants.BROTLI_PARAM_QUALITY]: LEVELS.br,
            [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
          },
        },
        done,
      );
    case 'zstd':
      // No pledged size: it would stand in the frame, and the content is longer.
      return zstdCompress(
        content,
        {
          finishFlush: constants.ZSTD_e_flush,
          params: { [constants.ZSTD_c_compressionLevel]: LEVELS.zstd },
        },
        done,
      );
  }
}

/** Whether content that was left open can be decoded when it has ended. */
async function isSound(encoding: ContentEncoding): Promise<boolean> {
  const decompress = { gzip: zlib!.gunzip, br: zlib!.brotliDecompress, zstd: zlib!.zstdDecompress };
  try {
    const { bytes, tail } = await encode(SAMPLE, encoding);
    const open = tail();
    const decoded = await new Promise<Uint8Array>((resolve, reject) => {
      const all = joined([bytes, ...open.add(SAMPLE), ...open.end()]);
      decompress[encoding](all, (error, result) =>
        error === null ? resolve(result) : reject(error),
      );
    });
    return platform.isSameContent(decoded, joined([SAMPLE, SAMPLE]));
  } catch {
    return false;
  }
}

const SAMPLE = platform.toBytes('<p>Content that has no end yet.</p>');
