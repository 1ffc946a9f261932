import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { entityTag } from '@ng-ssr/etag';
import { SsrError } from '../../errors.ts';
import type { ContentCoding } from '../../http/accept-encoding.ts';
import { AVAILABLE, type Levels } from '../../http/content-coding.ts';
import { contentTypeOf, isCompressible } from '../../http/content-type.ts';
import { MOST_CODED_FILE_BYTES } from '../large-file.ts';
import { code, levelsFor } from '../make-codings.ts';
import { isPrecompressed, precompressedOf } from '../precompressed.ts';
import { type BuiltFile, readFolder } from '../read-folder.ts';
import type { PackedCoding, PackedFile, PackManifest } from './pack-manifest.ts';

/** A pack in memory. */
export interface MadePack {
  readonly manifest: PackManifest;
  /** The codings one after the other, as the manifest places them. */
  readonly codings: readonly Uint8Array[];
}

/** A file with its codings, which have no places yet. */
interface CodedFile extends Pick<PackedFile, 'path' | 'bytes' | 'tag'> {
  readonly codings: readonly (readonly [ContentCoding, Uint8Array | undefined])[];
}

/**
 * Makes the codings of all files that a server may send coded. The same files give the same bytes on the same
 * version of Node.
 *
 * @param onProgress - Called at the start and after each file.
 * @param onError - Gets errors of precompressed files, which are then not used.
 * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder or a file cannot be read.
 */
export async function makePack(
  browserFolder: string,
  onProgress: (done: number, all: number) => void,
  onError: (error: SsrError) => void,
): Promise<MadePack> {
  const all = readFolder(browserFolder);
  const byPath = new Map(all.map((file) => [file.path, file]));
  const files = all.filter(({ path }) => !isPrecompressed(path, byPath));
  const levels = levelsFor(files.filter(isCoded));
  const coded: CodedFile[] = [];
  // The largest first: the last one decides when the work ends.
  const waiting = files.toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      coded.push(await codeFile(file, byPath, levels, onError));
      onProgress(coded.length, files.length);
    }
  };
  const stop = (error: unknown): never => {
    waiting.length = 0;
    throw error;
  };
  onProgress(0, files.length);
  // Each has up to three codings under way, on zlib's threads.
  await Promise.all(Array.from({ length: availableParallelism() }, () => work().catch(stop)));
  return place(coded.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}

/** As files are at start: of others a server makes the codings itself, if its options allow any. */
function isCoded({ path, sizeBytes }: BuiltFile): boolean {
  return isCompressible(contentTypeOf(path)) && sizeBytes > 0 && sizeBytes <= MOST_CODED_FILE_BYTES;
}

async function codeFile(
  file: BuiltFile,
  byPath: ReadonlyMap<string, BuiltFile>,
  levels: Levels,
  onError: (error: SsrError) => void,
): Promise<CodedFile> {
  const { path, absolutePath } = file;
  const body = await readContent(absolutePath);
  const codings = (isCoded(file) ? AVAILABLE : []).map(async (coding) => {
    const precompressed = precompressedOf(file, coding, byPath);
    return [coding, await code({ coding, precompressed }, body, levels, onError)] as const;
  });
  return {
    path,
    bytes: body.byteLength,
    tag: entityTag(body),
    codings: await Promise.all(codings),
  };
}

async function readContent(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new SsrError('NG_SSR_INDEX_FAILED', `${path} cannot be read`, { cause });
  }
}

function place(files: readonly CodedFile[]): MadePack {
  const codings: Uint8Array[] = [];
  let bytes = 0;
  const placed = files.map((file): PackedFile => {
    const own: { [coding in ContentCoding]?: PackedCoding | null } = {};
    for (const [coding, coded] of file.codings) {
      own[coding] = null;
      if (coded === undefined) continue;
      own[coding] = { at: bytes, bytes: coded.byteLength, tag: entityTag(coded) };
      codings.push(coded);
      bytes += coded.byteLength;
    }
    return { path: file.path, bytes: file.bytes, tag: file.tag, codings: own };
  });
  return { manifest: { bytes, files: placed }, codings };
}
