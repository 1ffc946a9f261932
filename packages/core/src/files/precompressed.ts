import { ENCODINGS, type ContentEncoding } from '../http/accept-encoding.ts';
import type { BuiltFile } from './read-folder.ts';

const ENDINGS: Readonly<Record<ContentEncoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' };

/** Whether a file is the encoding of another one beside it, `main.js.br` of `main.js`: it has no address. */
export function isPrecompressed(path: string, byPath: ReadonlyMap<string, BuiltFile>): boolean {
  return ENCODINGS.some((encoding) => {
    const ending = ENDINGS[encoding];
    return path.endsWith(ending) && byPath.has(path.slice(0, -ending.length));
  });
}

/** The file with an encoding of another one, if the build has left it. */
export function precompressedOf(
  { path }: { readonly path: string },
  encoding: ContentEncoding,
  byPath: ReadonlyMap<string, BuiltFile>,
): string | undefined {
  return byPath.get(path + ENDINGS[encoding])?.absolutePath;
}
