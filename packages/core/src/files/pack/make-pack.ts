import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { entityTag } from '#etag';
import { SsrError } from '../../errors.ts';
import type { ContentCoding } from '../../http/accept-encoding.ts';
import { AVAILABLE, type Levels } from '../../http/content-coding.ts';
import type { DictionaryCoding } from '../../http/dictionary-coding.ts';
import { isCodableFile } from '../codable-file.ts';
import { MOST_CODED_FILE_BYTES } from '../large-file.ts';
import { code, levelsFor } from '../make-codings.ts';
import { isPrecompressed, precompressedOf } from '../precompressed.ts';
import { type BuiltFile, readFolder } from '../read-folder.ts';
import { type CodedWithDictionary, codeWithDictionaries } from './code-with-dictionaries.ts';
import type {
  PackedCoding,
  PackedFile,
  PackedWithDictionary,
  PackManifest,
} from './pack-manifest.ts';
import { PreviousBuilds } from './previous-builds.ts';

/** A pack in memory. */
export interface MadePack {
  readonly manifest: PackManifest;
  /** The codings one after the other, as the manifest places them. */
  readonly codings: readonly Uint8Array[];
}

/** A file with its codings, which have no places yet. */
interface CodedFile extends Pick<PackedFile, 'path' | 'bytes' | 'tag'> {
  readonly codings: readonly (readonly [ContentCoding, Uint8Array | undefined])[];
  readonly withDictionary: readonly CodedWithDictionary[];
}

/**
 * Makes the codings of all files that a server may send coded. The same files give the same bytes on the same
 * version of Node.
 *
 * @param previous - Browser folders of earlier builds: clients that have files of them get what has changed.
 * @param onProgress - Called at the start and after each file.
 * @param onError - Gets errors of precompressed files, which are then not used.
 * @throws SsrError `NG_SSR_INDEX_FAILED` when the folder or a file cannot be read.
 */
export async function makePack(
  browserFolder: string,
  previous: readonly string[],
  onProgress: (done: number, all: number) => void,
  onError: (error: SsrError) => void,
): Promise<MadePack> {
  const all = readFolder(browserFolder);
  const byPath = new Map(all.map((file) => [file.path, file]));
  const files = all.filter(({ path }) => !isPrecompressed(path, byPath));
  const levels = levelsFor(files.filter(isCoded));
  const builds = new PreviousBuilds(previous, [...byPath.keys()]);
  const coded: CodedFile[] = [];
  // The largest first: the last one decides when the work ends.
  const waiting = files.toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      coded.push(await codeFile(file, byPath, builds, levels, onError));
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
  return isCodableFile(path) && sizeBytes > 0 && sizeBytes <= MOST_CODED_FILE_BYTES;
}

async function codeFile(
  file: BuiltFile,
  byPath: ReadonlyMap<string, BuiltFile>,
  builds: PreviousBuilds,
  levels: Levels,
  onError: (error: SsrError) => void,
): Promise<CodedFile> {
  const { path, absolutePath } = file;
  const body = await readContent(absolutePath);
  const making = (isCoded(file) ? AVAILABLE : []).map(async (coding) => {
    const precompressed = precompressedOf(file, coding, byPath);
    return [coding, await code({ coding, precompressed }, body, levels, onError)] as const;
  });
  const codings = await Promise.all(making);
  const dictionaries = isCoded(file) ? await builds.of(path, body) : [];
  const others = codings.flatMap(([, coded]) => coded?.byteLength ?? []);
  return {
    path,
    bytes: body.byteLength,
    tag: entityTag(body),
    codings,
    withDictionary: await codeWithDictionaries(body, dictionaries, others),
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
    const put = (coded: Uint8Array): PackedCoding => {
      const at = bytes;
      codings.push(coded);
      bytes += coded.byteLength;
      return { at, bytes: coded.byteLength, tag: entityTag(coded) };
    };
    const own: { [coding in ContentCoding]?: PackedCoding | null } = {};
    for (const [coding, coded] of file.codings) {
      own[coding] = coded === undefined ? null : put(coded);
    }
    const { path, bytes: size, tag } = file;
    const packed = { path, bytes: size, tag, codings: own };
    if (file.withDictionary.length === 0) return packed;
    const withDictionary = file.withDictionary.map((each): PackedWithDictionary => {
      const placed: { [coding in DictionaryCoding]?: PackedCoding } = {};
      for (const [coding, coded] of each.codings) placed[coding] = put(coded);
      return { dictionary: each.dictionary, codings: placed };
    });
    return { ...packed, withDictionary };
  });
  return { manifest: { bytes, files: placed }, codings };
}
