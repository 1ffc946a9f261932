import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { SsrError } from '../errors.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import { encodeInPieces, type Levels } from '../http/content-encoding.ts';
import type { DictionaryEncoding } from '../http/dictionary-encoding.ts';

/** A built file that encodings are made of. */
export interface Encodable {
  /** Below the browser folder, with `/` in front. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The current content; undefined if the file was deleted, which is no error. */
  read(): Promise<EncodableContent | undefined>;
  /** The same at once, for encodings that are made already; undefined also if it cannot be read. */
  readNow(): EncodableContent | undefined;
}

/** The content of a built file when it was read. */
export interface EncodableContent {
  readonly body: Uint8Array;
  /** Adds this content in one encoding. */
  add(encoding: ContentEncoding, encoded: Uint8Array): void;
  /**
   * Adds this content encoded against a dictionary.
   *
   * @param dictionary - Its name.
   */
  readonly addWith?:
    ((dictionary: string, encoding: DictionaryEncoding, encoded: Uint8Array) => void) | undefined;
}

/** One content encoding to be made of one file, or read from a precompressed file beside it. */
export interface EncodingJob {
  readonly file: Encodable;
  readonly encoding: ContentEncoding;
  readonly precompressed: string | undefined;
}

/** Quality 11 is some 5% smaller than 9 and ten times slower: minutes of work past this size. */
const BROTLI_BEST_UP_TO_BYTES = 16 * 1024 * 1024;

const decompress = {
  gzip: promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  zstd: zlib.zstdDecompress === undefined ? undefined : promisify(zlib.zstdDecompress),
};

/**
 * Makes the encodings one after another on zlib's threads, so that requests are answered meanwhile
 * and the thread pool keeps room for files and DNS.
 *
 * @param claim - Claims memory; an encoding that gets none is dropped.
 * @param isStopped - Called between jobs.
 * @returns Files that have no encoding because none fits into memory.
 */
export async function makeEncodings(
  jobs: readonly EncodingJob[],
  claim: (bytes: number) => boolean,
  onError: (error: SsrError) => void,
  isStopped: () => boolean,
): Promise<readonly Encodable[]> {
  const levels = levelsFor(
    jobs.filter(({ encoding }) => encoding === 'br').map(({ file }) => file),
  );
  const encoded = new Set<Encodable>();
  const dropped = new Set<Encodable>();
  for (const job of gzipFirst(jobs)) {
    if (isStopped()) return [];
    const { file, encoding } = job;
    try {
      const hasRoom = await make(job, levels, claim, onError);
      if (hasRoom !== undefined) (hasRoom ? encoded : dropped).add(file);
    } catch (cause) {
      const message = `${file.path} could not be encoded as ${encoding}`;
      onError(new SsrError('NG_SSR_ENCODING_FAILED', message, { cause }));
    }
  }
  return [...dropped].filter((file) => !encoded.has(file));
}

/** The levels for all files that are encoded. */
export function levelsFor(files: readonly Pick<Encodable, 'sizeBytes'>[]): Levels {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { br: bytes <= BROTLI_BEST_UP_TO_BYTES ? 11 : 9, zstd: 17, gzip: 9 };
}

/**
 * The quickest encoding of everything first: clients get compressed pages soon after start, and every file has
 * the encoding that all clients accept before the memory is full.
 */
export function gzipFirst(jobs: readonly EncodingJob[]): EncodingJob[] {
  return (['gzip', 'br', 'zstd'] as const).flatMap((encoding) =>
    jobs.filter((job) => job.encoding === encoding),
  );
}

/**
 * The encoded bytes of a file: those of the precompressed file beside it, or new ones.
 *
 * @returns undefined if no encoding is worthwhile.
 */
export async function code(
  job: Pick<EncodingJob, 'encoding' | 'precompressed'>,
  body: Uint8Array,
  levels: Levels,
  onError: (error: SsrError) => void,
): Promise<Uint8Array | undefined> {
  return (
    (await readPrecompressed(job, body, onError)) ??
    (await encodeInPieces(body, job.encoding, levels))
  );
}

/** @returns whether there was room; undefined if the file is deleted or no encoding is worthwhile. */
async function make(
  job: EncodingJob,
  levels: Levels,
  claim: (bytes: number) => boolean,
  onError: (error: SsrError) => void,
): Promise<boolean | undefined> {
  const content = await job.file.read();
  if (content === undefined) return undefined;
  const { body, add } = content;
  const encoded = await code(job, body, levels, onError);
  if (encoded === undefined) return undefined;
  const hasRoom = claim(encoded.byteLength);
  if (hasRoom) add(job.encoding, encoded);
  return hasRoom;
}

/** The bytes of the precompressed file, if they decode to those of the original. */
async function readPrecompressed(
  { encoding, precompressed }: Pick<EncodingJob, 'encoding' | 'precompressed'>,
  body: Uint8Array,
  onError: (error: SsrError) => void,
): Promise<Uint8Array | undefined> {
  const decode = decompress[encoding];
  if (precompressed === undefined || decode === undefined) return undefined;
  try {
    const encoded = await readFile(precompressed);
    // One byte more than the original, so that decoding stops with an error if the content is larger.
    const decoded = await decode(encoded, { maxOutputLength: body.byteLength + 1 });
    if (decoded.equals(body)) return encoded;
    throw new Error('its decoded content differs from the file');
  } catch (cause) {
    onError(
      new SsrError(
        'NG_SSR_ENCODING_FAILED',
        `${precompressed} is not used: the file is encoded instead`,
        { cause },
      ),
    );
    return undefined;
  }
}
