import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { entityTag } from '#etag';
import { SsrError } from '../../errors.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';
import { AVAILABLE, type Levels } from '../../http/content-encoding.ts';
import type { DictionaryEncoding } from '../../http/dictionary-encoding.ts';
import { isEncodableFile } from '../encodable-file.ts';
import { MOST_ENCODED_FILE_BYTES } from '../large-file.ts';
import { code, levelsFor } from '../make-encodings.ts';
import { isPrecompressed, precompressedOf } from '../precompressed.ts';
import { type BuiltFile, readFolder } from '../read-folder.ts';
import { type EncodedWithDictionary, codeWithDictionaries } from './code-with-dictionaries.ts';
import type {
  PackedEncoding,
  PackedFile,
  PackedWithDictionary,
  PackManifest,
} from './pack-manifest.ts';
import { PreviousBuilds } from './previous-builds.ts';

/** A pack in memory. */
export interface MadePack {
  readonly manifest: PackManifest;
  /** The encodings one after the other, as the manifest places them. */
  readonly encodings: readonly Uint8Array[];
}

/** A file with its encodings, which have no places yet. */
interface EncodedFile extends Pick<PackedFile, 'path' | 'bytes' | 'tag'> {
  readonly encodings: readonly (readonly [ContentEncoding, Uint8Array | undefined])[];
  readonly withDictionary: readonly EncodedWithDictionary[];
}

/**
 * Makes the encodings of all files that a server may send encoded. The same files give the same bytes on the same
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
  const levels = levelsFor(files.filter(isEncoded));
  // Clients that have a home page may have this one.
  const folders = previous.length === 0 ? [] : [...previous, browserFolder];
  const builds = new PreviousBuilds(folders, [...byPath.keys()]);
  const encoded: EncodedFile[] = [];
  // The largest first: the last one decides when the work ends.
  const waiting = files.toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      encoded.push(await codeFile(file, byPath, builds, levels, onError));
      onProgress(encoded.length, files.length);
    }
  };
  const stop = (error: unknown): never => {
    waiting.length = 0;
    throw error;
  };
  onProgress(0, files.length);
  // Each has up to three encodings in flight, on zlib's threads.
  await Promise.all(Array.from({ length: availableParallelism() }, () => work().catch(stop)));
  return place(encoded.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}

/** As files are at start: of others a server makes the encodings itself, if its options allow any. */
function isEncoded({ path, sizeBytes }: BuiltFile): boolean {
  return isEncodableFile(path) && sizeBytes > 0 && sizeBytes <= MOST_ENCODED_FILE_BYTES;
}

async function codeFile(
  file: BuiltFile,
  byPath: ReadonlyMap<string, BuiltFile>,
  builds: PreviousBuilds,
  levels: Levels,
  onError: (error: SsrError) => void,
): Promise<EncodedFile> {
  const { path, absolutePath } = file;
  const body = await readContent(absolutePath);
  const making = (isEncoded(file) ? AVAILABLE : []).map(async (encoding) => {
    const precompressed = precompressedOf(file, encoding, byPath);
    return [encoding, await code({ encoding, precompressed }, body, levels, onError)] as const;
  });
  const encodings = await Promise.all(making);
  const dictionaries = isEncoded(file) ? await builds.of(path, body) : [];
  const others = encodings.flatMap(([, encoded]) => encoded?.byteLength ?? []);
  return {
    path,
    bytes: body.byteLength,
    tag: entityTag(body),
    encodings,
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

function place(files: readonly EncodedFile[]): MadePack {
  const encodings: Uint8Array[] = [];
  let bytes = 0;
  const placed = files.map((file): PackedFile => {
    const put = (encoded: Uint8Array): PackedEncoding => {
      const at = bytes;
      encodings.push(encoded);
      bytes += encoded.byteLength;
      return { at, bytes: encoded.byteLength, tag: entityTag(encoded) };
    };
    const own: { [encoding in ContentEncoding]?: PackedEncoding | null } = {};
    for (const [encoding, encoded] of file.encodings) {
      own[encoding] = encoded === undefined ? null : put(encoded);
    }
    const { path, bytes: size, tag } = file;
    const packed = { path, bytes: size, tag, encodings: own };
    if (file.withDictionary.length === 0) return packed;
    const withDictionary = file.withDictionary.map((each): PackedWithDictionary => {
      const placed: { [encoding in DictionaryEncoding]?: PackedEncoding } = {};
      for (const [encoding, encoded] of each.encodings) placed[encoding] = put(encoded);
      return { dictionary: each.dictionary, encodings: placed };
    });
    return { ...packed, withDictionary };
  });
  return { manifest: { bytes, files: placed }, encodings };
}
