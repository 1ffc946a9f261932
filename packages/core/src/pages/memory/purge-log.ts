import type { Purge } from '../../purge.ts';

/** Something stored that purges apply to. */
export interface Purgeable {
  readonly page: { readonly path: string; readonly tags: readonly string[] };
  /** The latest purge that it is newer than, or that has been applied to it. */
  purgesSeen: number;
  /** When it becomes stale (`performance.now()`); a soft purge sets an earlier time. */
  staleAtMs: number;
}

interface Record {
  readonly atMs: number;
  /** Pages whose render began before this purge are stale. */
  readonly soft: number;
  /** Pages whose render began before this purge are gone. */
  readonly hard: number;
}

/** Above this number of purges, or this length of names, the log is applied to all pages and emptied. */
const MOST_RECORDS = 10_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Decides which pages are out of date. Each purge has a number, one higher than the last. A page has
 * the number of the latest purge when its render began, and is compared with later ones when it is next
 * looked up. So a purge costs the same for one page and for all, and a page that is purged while it
 * renders is not stored as fresh.
 */
export class PurgeLog {
  /** The number of the latest purge. */
  latest = 0;
  /** Pages whose render began before this purge may have missed one that is no longer in the log. */
  #listedSince = 0;
  /** Total length of all names in the log. */
  #characters = 0;
  readonly #paths = new Map<string, Record>();
  readonly #tags = new Map<string, Record>();
  readonly #prefixes = new Map<string, Record>();

  /**
   * @param nowMs - `performance.now()`
   * @returns true if the log has become too long: the caller applies it to every page, then calls `begin`.
   */
  add({ path, prefix, tag, hard = false }: Purge, nowMs: number): boolean {
    const number = ++this.latest;
    const [records, name] =
      path !== undefined
        ? [this.#paths, path]
        : prefix !== undefined
          ? [this.#prefixes, prefix]
          : [this.#tags, tag!];
    const earlier = records.get(name);
    if (earlier === undefined) this.#characters += name.length;
    records.set(name, { atMs: nowMs, soft: number, hard: hard ? number : (earlier?.hard ?? 0) });
    const count = this.#paths.size + this.#tags.size + this.#prefixes.size;
    return count > MOST_RECORDS || this.#characters > MOST_CHARACTERS;
  }

  /** Empties the log, after it has been applied to every page. */
  begin(): void {
    this.#listedSince = this.latest;
    this.#characters = 0;
    for (const records of [this.#paths, this.#tags, this.#prefixes]) records.clear();
  }

  /**
   * Applies later purges to a page.
   *
   * @returns false if the page is purged; later calls return false too.
   */
  apply(held: Purgeable): boolean {
    if (held.purgesSeen === this.latest) return true;
    if (!this.#survives(held)) return false;
    held.purgesSeen = this.latest;
    return true;
  }

  #survives(held: Purgeable): boolean {
    const since = held.purgesSeen;
    if (since < this.#listedSince) return false;
    const { path, tags } = held.page;
    if (!apply(this.#paths.get(path), since, held)) return false;
    for (const tag of tags) if (!apply(this.#tags.get(tag), since, held)) return false;
    for (const [prefix, record] of this.#prefixes) {
      if (path.startsWith(prefix) && !apply(record, since, held)) return false;
    }
    return true;
  }
}

function apply(record: Record | undefined, since: number, held: Purgeable): boolean {
  if (record === undefined || record.soft <= since) return true;
  if (record.hard > since) return false;
  held.staleAtMs = Math.min(held.staleAtMs, record.atMs);
  return true;
}
