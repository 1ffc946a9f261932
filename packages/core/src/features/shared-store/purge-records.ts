import type { Purge } from '../../purge.ts';
import { isPurge } from '../../pages/check-purge.ts';
import type { StoredEntry } from './page-store.ts';

/** The most purges kept: of more, the older half is replaced by one purge of everything. */
export const MAX_PURGES = 10_000;

/** The target of a purge of every page. */
export const EVERYTHING = 'hard:prefix:/';
/** The target of a record that stands for purges that the store has lost, whose targets are unknown. */
export const LOST = 'lost';

/** A purge as stored: `soft:tag:news`. */
export function toTarget({ path, prefix, tag, hard }: Purge): string {
  const strength = hard === true ? 'hard' : 'soft';
  if (tag !== undefined) return `${strength}:tag:${tag}`;
  return prefix === undefined ? `${strength}:path:${path}` : `${strength}:prefix:${prefix}`;
}

/** The purge of a target; undefined if the target is invalid. */
export function toPurge(target: string): Purge | undefined {
  // Entries of the store count as gone then, but pages in the memory of a process only as stale.
  if (target === LOST) return { prefix: '/' };
  const [, strength, kind, name] = /^(hard|soft):(path|prefix|tag):(.*)$/s.exec(target) ?? [];
  if (kind === undefined) return undefined;
  const purge = { [kind]: name, ...(strength === 'hard' ? { hard: true } : {}) };
  return isPurge(purge) ? purge : undefined;
}

/**
 * The purges of a store: each target once, with the version of its latest purge. The cost of looking up a page
 * depends on its tags and on the lengths of purged prefixes, not on the number of purges.
 */
export class PurgeRecords implements Iterable<readonly [target: string, version: number]> {
  readonly #versions = new Map<string, number>();
  /** The lengths of the purged prefixes, for one lookup each. */
  readonly #prefixLengths = new Set<number>();
  #latest = 0;

  get latest(): number {
    return this.#latest;
  }

  get size(): number {
    return this.#versions.size;
  }

  /** Adds a purge. Returns whether it is new. */
  add(target: string, version: number): boolean {
    if (version <= this.versionOf(target)) return false;
    this.#versions.set(target, version);
    this.#latest = Math.max(this.#latest, version);
    this.#notePrefix(target);
    if (this.#versions.size > MAX_PURGES) this.#dropOlderHalf();
    return true;
  }

  /** Deletes a purge, unless a later one of the same target has been added since. */
  delete(target: string, version: number): void {
    if (this.versionOf(target) === version) this.#versions.delete(target);
  }

  forgetBeyond(limit: number): void {
    this.#latest = 0;
    for (const [target, version] of this.#versions) {
      if (version > limit) this.#versions.delete(target);
      else this.#latest = Math.max(this.#latest, version);
    }
  }

  /** The state of an entry whose render began after the purge with that version. */
  stateOf(entry: StoredEntry, version: number): 'current' | 'stale' | 'gone' {
    if (this.versionOf(LOST) > version) return 'gone';
    // Header names are not content: they only complete a key.
    if (!('body' in entry)) return 'current';
    const isPurged = (strength: string): boolean =>
      this.versionOf(`${strength}:path:${entry.path}`) > version ||
      entry.tags.some((tag) => this.versionOf(`${strength}:tag:${tag}`) > version) ||
      [...this.#prefixLengths].some(
        (length) => this.versionOf(`${strength}:prefix:${entry.path.slice(0, length)}`) > version,
      );
    if (isPurged('hard')) return 'gone';
    return isPurged('soft') ? 'stale' : 'current';
  }

  [Symbol.iterator](): Iterator<readonly [string, number]> {
    return this.#versions.entries();
  }

  /** The version of the latest purge of a target; 0 without one. */
  versionOf(target: string): number {
    return this.#versions.get(target) ?? 0;
  }

  /** The store does the same. */
  #dropOlderHalf(): void {
    const byAge = [...this.#versions].sort(([, one], [, other]) => one - other);
    const dropped = byAge.slice(0, MAX_PURGES / 2);
    for (const [target] of dropped) this.#versions.delete(target);
    const newest = dropped.at(-1)![1];
    this.#versions.set(EVERYTHING, Math.max(newest, this.versionOf(EVERYTHING)));
    this.#prefixLengths.clear();
    for (const target of this.#versions.keys()) this.#notePrefix(target);
  }

  #notePrefix(target: string): void {
    const prefix = toPurge(target)?.prefix;
    if (prefix !== undefined) this.#prefixLengths.add(prefix.length);
  }
}
