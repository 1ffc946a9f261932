import { useAsDictionary } from '../http/use-as-dictionary.ts';
import { readHashedName } from './hashed-name.ts';

const DESTINATIONS = { '.js': 'script', '.mjs': 'script', '.css': 'style' } as const;

/**
 * The scripts and styles whose next build can be encoded against them, by name without hash: `/main-*.js`. Names that
 * several files have, such as those of lazy chunks, do not say which file follows which.
 */
export class FilesByName {
  readonly #paths = new Map<string, string[]>();

  /** @param paths - Of all files below the browser folder. */
  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const name = nameOf(path);
      if (name !== undefined) this.#paths.set(name, [...(this.#paths.get(name) ?? []), path]);
    }
  }

  /** The only file that has the name of another one, or undefined. */
  find(path: string): string | undefined {
    const paths = this.#paths.get(nameOf(path) ?? '');
    return paths?.length === 1 ? paths[0] : undefined;
  }

  /** The value of Use-As-Dictionary of a file, or undefined if it is no dictionary for its successor. */
  useAs(path: string): string | undefined {
    const name = this.find(path) === path ? readHashedName(path) : undefined;
    if (name === undefined) return undefined;
    const { before, ending } = name;
    const match = `${encodeURI(before.slice(before.lastIndexOf('/') + 1))}*${ending}`;
    return useAsDictionary(match, DESTINATIONS[ending as keyof typeof DESTINATIONS]);
  }
}

/** Undefined for files that are no dictionaries. */
function nameOf(path: string): string | undefined {
  const name = readHashedName(path);
  if (name === undefined || !(name.ending in DESTINATIONS)) return undefined;
  const isChunk = name.before.endsWith('/chunk-');
  return isChunk ? undefined : `${name.before}*${name.ending}`;
}
