import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { SsrError } from '../errors.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { encode } from '../http/content-coding.ts';
import type { HeldResource } from './held-resource.ts';

/** One content coding to be made of one resource, or read from the file the build left beside it. */
export interface CodingJob {
  readonly resource: HeldResource;
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
 * and the thread pool keeps room for files and name look-ups.
 *
 * @param claim - Asks for memory; a coding that gets none is dropped.
 * @param isStopped - Asked between jobs.
 */
export async function makeCodings(
  jobs: readonly CodingJob[],
  claim: (bytes: number) => boolean,
  onError: (error: SsrError) => void,
  isStopped: () => boolean,
): Promise<void> {
  // The quickest coding of everything first: clients get compressed pages soon after start.
  const inOrder = (['gzip', 'br', 'zstd'] as const).flatMap((coding) =>
    jobs.filter((job) => job.coding === coding),
  );
  const brotliBytes = jobs.reduce(
    (sum, { coding, resource }) => (coding === 'br' ? sum + resource.body.byteLength : sum),
    0,
  );
  const levels = { br: brotliBytes <= BROTLI_BEST_UP_TO_BYTES ? 11 : 9, zstd: 17, gzip: 9 };
  for (const job of inOrder) {
    if (isStopped()) return;
    try {
      const body =
        (await readPrecompressed(job, onError)) ??
        (await encode(job.resource.body, job.coding, levels));
      if (body !== undefined && claim(body.byteLength)) job.resource.add(job.coding, body);
    } catch (cause) {
      onError(
        new SsrError('NG_SSR_CODING_FAILED', `${job.resource.path} has no ${job.coding} coding`, {
          cause,
        }),
      );
    }
  }
}

/** The bytes of the file beside the original, provided that they decode to the original's. */
async function readPrecompressed(
  { resource, coding, precompressed }: CodingJob,
  onError: (error: SsrError) => void,
): Promise<Uint8Array | undefined> {
  const decode = decompress[coding];
  if (precompressed === undefined || decode === undefined) return undefined;
  try {
    const coded = await readFile(precompressed);
    // One byte more than the original has, so that a larger content is an error and never unpacked.
    const decoded = await decode(coded, { maxOutputLength: resource.body.byteLength + 1 });
    if (decoded.equals(resource.body)) return coded;
    throw new Error('it decodes to other bytes than the file has');
  } catch (cause) {
    onError(
      new SsrError('NG_SSR_CODING_FAILED', `${precompressed} is not used: made anew`, { cause }),
    );
    return undefined;
  }
}
