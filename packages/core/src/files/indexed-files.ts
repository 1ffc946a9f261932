import {
  fromWireRepresentation,
  type WireRepresentation,
  toWireRepresentation,
} from '../answers/wire-representation.ts';
import type { Representation } from '../answers/representation.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import { toBuffer } from '../shared-bytes.ts';
import { Arena } from './arena.ts';
import type { BuiltLocale } from './built-locales.ts';
import type { BuiltResource } from './built-resource.ts';
import { type FillOf, HeldResource, type Move } from './held-resource.ts';
import { LargeFile, type WireEncoding, type WireLargeFile } from './large-file.ts';
import { fromWireResource, type WireResource, toWireResource } from './wire-resource.ts';

/** The built files as plain data, for other threads: bytes are in shared memory. */
export interface IndexedFiles {
  readonly baseHref: string;
  /** Of a localized build. */
  readonly locales: readonly BuiltLocale[] | undefined;
  readonly held: readonly (readonly [urlPaths: readonly string[], file: WireResource])[];
  readonly large: readonly (readonly [urlPaths: readonly string[], file: WireLargeFile])[];
}

/** An encoding of a file that was made after the files were indexed. */
export interface AddedEncoding {
  readonly urlPath: string;
  /** Undefined for a file that is not held. */
  readonly held: WireRepresentation | undefined;
  readonly large: WireEncoding | undefined;
}

/**
 * Moves all bytes into one piece of shared memory, but for those that are shared already.
 *
 * @param onEncoded - Called with each encoding that is added later.
 */
export function toIndexedFiles(
  held: ReadonlyMap<string, BuiltResource>,
  large: ReadonlyMap<string, LargeFile>,
  onEncoded: (added: AddedEncoding) => void,
): Pick<IndexedFiles, 'held' | 'large'> {
  const move = moverOf([...new Set(held.values()), ...new Set(large.values())]);
  const wireHeld = pathsByFile(held).map(([paths, file]) => {
    const urlPath = paths[0]!;
    if (file instanceof HeldResource) {
      file.share(move, (encoded) =>
        onEncoded({ urlPath, held: toWireRepresentation(encoded), large: undefined }),
      );
    }
    return [paths, toWireResource(file)] as const;
  });
  const wireLarge = pathsByFile(large).map(([paths, file]) => {
    const urlPath = paths[0]!;
    const plain = file.share(move, (encoded) =>
      onEncoded({ urlPath, held: undefined, large: encoded }),
    );
    return [paths, plain] as const;
  });
  return { held: wireHeld, large: wireLarge };
}

function moverOf(files: readonly (BuiltResource | LargeFile)[]): Move {
  const bodies = files.flatMap((file) =>
    file instanceof HeldResource || file instanceof LargeFile ? file.bodies() : [],
  );
  const unshared = bodies.filter((body) => !isShared(body));
  const bytes = unshared.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const memory = new Arena(new SharedArrayBuffer(bytes));
  return (body) => (isShared(body) ? body : memory.copy(body));
}

function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer;
}

/** Fills an index with files that {@link toIndexedFiles} has made. */
export function takeIndexedFiles(
  indexed: IndexedFiles,
  held: Map<string, BuiltResource>,
  large: Map<string, LargeFile>,
  fillOf: FillOf | undefined,
): void {
  for (const [paths, plain] of indexed.held) {
    const file = fromWireResource(plain, fillOf);
    for (const path of paths) held.set(path, file);
  }
  for (const [paths, { path, absolutePath, sizeBytes, content, encoded }] of indexed.large) {
    const file = new LargeFile(path, absolutePath, sizeBytes, content);
    for (const each of encoded) file.addEncoded({ ...each, body: toBuffer(each.body) });
    for (const urlPath of paths) large.set(urlPath, file);
  }
}

/** Adds an encoding to the copy of a file. */
export function addEncoded(
  { urlPath, held: ofHeld, large: ofLarge }: AddedEncoding,
  held: ReadonlyMap<string, BuiltResource>,
  large: ReadonlyMap<string, LargeFile>,
): void {
  if (ofLarge !== undefined) {
    large.get(urlPath)?.addEncoded({ ...ofLarge, body: toBuffer(ofLarge.body) });
  }
  const file = held.get(urlPath);
  if (ofHeld === undefined || file === undefined) return;
  const encoded = file.encoded as { [encoding in ContentEncoding]?: Representation };
  encoded[ofHeld.encoding as ContentEncoding] = fromWireRepresentation(ofHeld);
}

/** Each file once, with all of its paths. */
function pathsByFile<File>(files: ReadonlyMap<string, File>): (readonly [string[], File])[] {
  const byFile = new Map<File, string[]>();
  for (const [path, file] of files) {
    const paths = byFile.get(file);
    if (paths === undefined) byFile.set(file, [path]);
    else paths.push(path);
  }
  return [...byFile].map(([file, paths]) => [paths, file] as const);
}
