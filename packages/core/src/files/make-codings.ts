import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { SsrError } from '../errors.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { encodeInPieces, type Levels } from '../http/content-coding.ts';
import type { DictionaryCoding } from '../http/dictionary-coding.ts';

/** A built file that codings are made of. */
export interface Codable {
  /** Below the browser folder, with `/` in front. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The current content; undefined if the file was deleted, which is no error. */
  read(): Promise<CodableContent | undefined>;
  /** The same at once, for codings that are made already; undefined also if it cannot be read. */
  readNow(): CodableContent | undefined;
}

/** The content of a built file when it was read. */
export interface CodableContent {
  readonly body: Uint8Array;
  /** Adds this content in one coding. */
  add(coding: ContentCoding, coded: Uint8Array): void;
  /**
   * Adds this content coded against a dictionary.
   *
   * @param dictionary - Its name.
   */
  readonly addWith?:
    ((dictionary: string, coding: DictionaryCoding, coded: Uint8Array) => void) | undefined;
}

/** One content coding to be made of one file, or read from a precompressed file beside it. */
export interface CodingJob {
  readonly file: Codable;
  readonly coding: ContentCoding;
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
 * Makes the codings one after another on zlib's threads, so that requests are answered meanwhile
 * and the thread pool keeps room for files and DNS.
 *
 * @param claim - Claims memory; a coding that gets none is dropped.
 * @param isStopped - Called between jobs.
 * @returns Files that have no coding because none fits into memory.
 */
export async function makeCodings(
  jobs: readonly CodingJob[],
  claim: (bytes: number) => boolean,
  onError: (error: SsrError) => void,
  isStopped: () => boolean,
): Promise<readonly Codable[]> {
  const levels = levelsFor(jobs.filter(({ coding }) => coding === 'br').map(({ file }) => file));
  const coded = new Set<Codable>();
  const dropped = new Set<Codable>();
  for (const job of gzipFirst(jobs)) {
    if (isStopped()) return [];
    const { file, coding } = job;
    try {
      const hasRoom = await make(job, levels, claim, onError);
      if (hasRoom !== undefined) (hasRoom ? coded : dropped).add(file);
    } catch (cause) {
      const message = `${file.path} could not be coded as ${coding}`;
      onError(new SsrError('NG_SSR_CODING_FAILED', message, { cause }));
    }
  }
  return [...dropped].filter((file) => !coded.has(file));
}

/** The levels for all files that are coded. */
export function levelsFor(files: readonly Pick<Codable, 'sizeBytes'>[]): Levels {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { br: bytes <= BROTLI_BEST_UP_TO_BYTES ? 11 : 9, zstd: 17, gzip: 9 };
}

/**
 * The quickest coding of everything first: clients get compressed pages soon after start, and every file has
 * the coding that all clients accept before the memory is full.
 */
export function gzipFirst(jobs: readonly CodingJob[]): CodingJob[] {
  return (['gzip', 'br', 'zstd'] as const).flatMap((coding) =>
    jobs.filter((job) => job.coding === coding),
  );
}

/**
 * The coded bytes of a file: those of the precompressed file beside it, or new ones.
 *
 * @returns undefined if no coding is worthwhile.
 */
export async function code(
  job: Pick<CodingJob, 'coding' | 'precompressed'>,
  body: Uint8Array,
  levels: Levels,
  onError: (error: SsrError) => void,
): Promise<Uint8Array | undefined> {
  return (
    (await readPrecompressed(job, body, onError)) ??
    (await encodeInPieces(body, job.coding, levels))
  );
}

/** @returns whether there was room; undefined if the file is deleted or no coding is worthwhile. */
async function make(
  job: CodingJob,
  levels: Levels,
  claim: (bytes: number) => boolean,
  onError: (error: SsrError) => void,
): Promise<boolean | undefined> {
  const content = await job.file.read();
  if (content === undefined) return undefined;
  const { body, add } = content;
  const coded = await code(job, body, levels, onError);
  if (coded === undefined) return undefined;
  const hasRoom = claim(coded.byteLength);
  if (hasRoom) add(job.coding, coded);
  return hasRoom;
}

/** The bytes of the precompressed file, if they decode to those of the original. */
async function readPrecompressed(
  { coding, precompressed }: Pick<CodingJob, 'coding' | 'precompressed'>,
  body: Uint8Array,
  onError: (error: SsrError) => void,
): Promise<Uint8Array | undefined> {
  const decode = decompress[coding];
  if (precompressed === undefined || decode === undefined) return undefined;
  try {
    const coded = await readFile(precompressed);
    // One byte more than the original, so that decoding stops with an error if the content is larger.
    const decoded = await decode(coded, { maxOutputLength: body.byteLength + 1 });
    if (decoded.equals(body)) return coded;
    throw new Error('its decoded content differs from the file');
  } catch (cause) {
    onError(
      new SsrError(
        'NG_SSR_CODING_FAILED',
        `${precompressed} is not used: the file is coded instead`,
        { cause },
      ),
    );
    return undefined;
  }
}
