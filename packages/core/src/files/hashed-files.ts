import { createHash } from 'node:crypto';
import { canonicalPath, pathOf } from '../http/target.ts';
import { readHashedName } from './hashed-name.ts';
import type { BuiltFile } from './read-folder.ts';

/** Where a server says which build it has, below the base href. */
export const VERSION_PATH = '/_ng-ssr/version';

/** The files of a build with the hash of their content in their name, and what their names say of the build. */
export class HashedFiles {
  /** Of all of them, source maps left out: the same for every server with the same files. */
  readonly buildId: string;
  /** Those that other builds may be asked for: no source maps. */
  readonly files: readonly BuiltFile[];
  readonly #baseHref: string;
  /** The folders that have such files. */
  readonly #folders = new Set<string>();

  constructor(files: readonly BuiltFile[], baseHref: string) {
    this.#baseHref = baseHref;
    const hashed = files.filter(({ path }) => readHashedName(path) !== undefined);
    this.files = hashed.filter(({ path }) => isKept(path)).sort(byPath);
    for (const { path } of hashed) this.#folders.add(folderOf(path));
    const names = this.files.map(({ path }) => path);
    this.buildId = createHash('sha256')
      .update([baseHref, ...names].join('\n'))
      .digest('hex')
      .slice(0, 16);
  }

  /**
   * What a page compares with the script it was started by, so that it knows whether the server has another build by now.
   */
  get version(): string {
    const names = this.files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    const main = names.filter((name) => /^main-[^/]{8}\.m?js$/.test(name));
    return `${JSON.stringify({ build: this.buildId, main: [...new Set(main)] })}\n`;
  }

  /**
   * The path below the browser folder that a target asks for, if its name looks like that of a file with a hash;
   * else undefined.
   */
  pathOf(target: string): string | undefined {
    const path = pathOf(target);
    // Of the targets that reach this, few end as such files do: the rest is for them alone.
    if (!MAY_BE_HASHED.test(path)) return undefined;
    const canonical = canonicalPath(path);
    if (canonical === undefined) return undefined;
    const isBelow = canonical.startsWith(this.#baseHref);
    const below = decodeURIComponent(
      isBelow ? canonical.slice(this.#baseHref.length - 1) : canonical,
    );
    return readHashedName(below) === undefined ? undefined : below;
  }

  /** Whether a path is in a folder where the build has such files: what is missing there is no page. */
  isAmongThem(path: string): boolean {
    return this.#folders.has(folderOf(path));
  }
}

/** A dash, eight characters and an ending. */
const MAY_BE_HASHED = /-[\w-]{8}\.[\w.]{1,16}$/;

/** Source maps are for developers, who have them of each build, and are larger than all other files together. */
export function isKept(path: string): boolean {
  return readHashedName(path) !== undefined && !path.endsWith('.map');
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function byPath(a: BuiltFile, b: BuiltFile): number {
  return a.path < b.path ? -1 : 1;
}
