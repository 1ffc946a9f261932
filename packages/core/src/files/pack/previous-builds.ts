import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Dictionary } from '../../http/dictionary.ts';
import { canBeDictionary } from '../../http/dictionary-encoding.ts';
import { FilesByName } from '../files-by-name.ts';
import { readFolder } from '../read-folder.ts';

const INDEX = '/index.html';

/** A build that clients may still have files of. */
interface PreviousBuild {
  readonly folder: string;
  readonly paths: ReadonlySet<string>;
  readonly byName: FilesByName;
}

/** Finds the dictionaries of a build's files: what clients have of earlier builds. */
export class PreviousBuilds {
  readonly #builds: readonly PreviousBuild[];
  readonly #current: FilesByName;
  readonly #read = new Map<string, Promise<Dictionary | undefined>>();

  /**
   * @param browserFolders - Of earlier builds, the latest first.
   * @param current - The paths of the build that is packed.
   * @throws SsrError `NG_SSR_INDEX_FAILED` when a folder cannot be read.
   */
  constructor(browserFolders: readonly string[], current: readonly string[]) {
    this.#current = new FilesByName(current);
    this.#builds = browserFolders.map((folder) => {
      const paths = readFolder(folder).map(({ path }) => path);
      return { folder, paths: new Set(paths), byName: new FilesByName(paths) };
    });
  }

  /**
   * The dictionaries of a file: for a script or style the file of the same name without hash, for a page its
   * earlier version and the home page of its locale.
   *
   * @param path - Below the browser folder.
   */
  async of(path: string, body: Uint8Array): Promise<readonly Dictionary[]> {
    const found = new Map<string, Dictionary>();
    for (const build of this.#builds) {
      for (const from of this.#dictionariesOf(path, build)) {
        const dictionary = await this.#readOnce(build.folder, from);
        // The same content needs no encoding: a client has the file, or asks whether it has changed.
        const isSame = dictionary !== undefined && Buffer.compare(dictionary.content, body) === 0;
        if (dictionary !== undefined && !isSame) found.set(dictionary.name, dictionary);
      }
    }
    return [...found.values()];
  }

  #dictionariesOf(path: string, { paths, byName }: PreviousBuild): Iterable<string> {
    if (!path.endsWith(INDEX)) {
      const earlier = this.#current.find(path) === path ? byName.find(path) : undefined;
      return earlier === undefined ? [] : [earlier];
    }
    // A localized build has a folder for each locale, or for all but one.
    const locale = path.split('/', 2).join('/');
    const isOfLocale = paths.has(`${locale}/index.csr.html`) && paths.has(locale + INDEX);
    const home = isOfLocale ? locale + INDEX : INDEX;
    return new Set([path, home].filter((each) => paths.has(each)));
  }

  #readOnce(folder: string, path: string): Promise<Dictionary | undefined> {
    const file = join(folder, path);
    const read = this.#read.get(file) ?? toDictionary(file);
    this.#read.set(file, read);
    return read;
  }
}

async function toDictionary(file: string): Promise<Dictionary | undefined> {
  const content = await readFile(file);
  return canBeDictionary(content) ? new Dictionary(content) : undefined;
}
