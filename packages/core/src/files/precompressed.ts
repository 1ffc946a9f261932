import { CODINGS, type ContentCoding } from '../http/accept-encoding.ts';
import type { BuiltFile } from './read-folder.ts';

const ENDINGS: Readonly<Record<ContentCoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' };

/** Whether a file is the coding of another one beside it, `main.js.br` of `main.js`: it has no address. */
export function isPrecompressed(path: string, byPath: ReadonlyMap<string, BuiltFile>): boolean {
  return CODINGS.some((coding) => {
    const ending = ENDINGS[coding];
    return path.endsWith(ending) && byPath.has(path.slice(0, -ending.length));
  });
}

/** The file with a coding of another one, if the build has left it. */
export function precompressedOf(
  { path }: { readonly path: string },
  coding: ContentCoding,
  byPath: ReadonlyMap<string, BuiltFile>,
): string | undefined {
  return byPath.get(path + ENDINGS[coding])?.absolutePath;
}
