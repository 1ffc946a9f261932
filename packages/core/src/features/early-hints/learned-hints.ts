import { LRUCache } from '../../platform/recently-used.ts';

/** Bound the memory: clients can ask for any number of paths. */
const MOST_PATHS = 500;
const MOST_FAMILIES = 100;
const MOST_PATH_LENGTH = 256;

/** The pages below one path, such as all products: they mostly have a component in common. */
interface Family {
  /** The hints that all of its pages had. */
  readonly hints: readonly string[];
  /** Its only page so far; undefined after the second. */
  readonly only: string | undefined;
}

/** The hints of pages that were rendered, by path; least recently used dropped first. */
export class LearnedHints {
  readonly #byPath = new LRUCache<readonly string[]>({ maxSize: MOST_PATHS });
  readonly #families = new LRUCache<Family>({ maxSize: MOST_FAMILIES });

  /** The hints of the path's last page, or those that all pages beside it had; undefined if neither is known. */
  find(path: string): readonly string[] | undefined {
    const own = this.#byPath.get(path);
    if (own !== undefined) return own;
    const family = this.#families.get(familyOf(path));
    // One page says nothing about those beside it.
    return family?.only === undefined ? family?.hints : undefined;
  }

  learn(path: string, hints: readonly string[]): void {
    if (path.length > MOST_PATH_LENGTH) return;
    const before = this.#byPath.get(path);
    // A list that is the same again stays: renders should leave nothing new in memory.
    const isSame = before?.length === hints.length && before.every((hint, i) => hint === hints[i]);
    if (isSame) return;
    this.#byPath.set(path, hints);
    this.#learnFamily(familyOf(path), path, hints);
  }

  #learnFamily(name: string, path: string, hints: readonly string[]): void {
    const family = this.#families.get(name);
    if (family === undefined || family.only === path) {
      this.#families.set(name, { hints, only: path });
      return;
    }
    const common = family.hints.filter((hint) => hints.includes(hint));
    this.#families.set(name, { hints: common, only: undefined });
  }
}

/** `/products/3` and `/products/4` are of one family. */
function familyOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
