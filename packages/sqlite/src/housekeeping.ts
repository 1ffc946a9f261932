import type { Bounds } from './bounds.ts';
import {
  checkpoint,
  deleteEntries,
  evict,
  findUnusable,
  noteUses,
  readSize,
  renewBuild,
  shrink,
} from './jobs.ts';
import type { JobResult } from './sql-thread.ts';
import type { Job } from './thread-program.ts';

/** A use is noted once in this time, so that most reads write nothing. */
const USE_INTERVAL_MS = 60_000;
const BUILD_INTERVAL_MS = 60_000;
const MOST_USES = 1_000;

/** Work in the background, in small parts: room for new entries, the order of use, entries without a use. */
export class Housekeeping {
  readonly #bounds: Bounds;
  readonly #build: string;
  /** Does a job; undefined if it could not be done. */
  readonly #try: (job: Job) => Promise<JobResult | undefined>;
  readonly #uses = new Set<number>();
  #isEvicting = false;
  #sweptId = 0;
  #renewAtMs = 0;

  constructor(bounds: Bounds, build: string, tryJob: (job: Job) => Promise<JobResult | undefined>) {
    this.#bounds = bounds;
    this.#build = build;
    this.#try = tryJob;
  }

  /** An entry was read, that was last noted as used at this time. */
  used(id: number, usedAtMs: number): void {
    const isRecent = Math.abs(Date.now() - usedAtMs) < USE_INTERVAL_MS;
    if (!isRecent && this.#uses.size < MOST_USES) this.#uses.add(id);
  }

  /** So many pages of the file are in use. */
  measured(usedPages: number, neededPages: number): void {
    const { highPages, maxUsedPages } = this.#bounds;
    if (usedPages > highPages || usedPages + neededPages > maxUsedPages) void this.#evict();
  }

  /** To be called about once a second. */
  async tick(): Promise<void> {
    if (performance.now() >= this.#renewAtMs) {
      const renewed = await this.#try(renewBuild(this.#build, Date.now(), this.#bounds));
      if (renewed !== undefined) this.#renewAtMs = performance.now() + BUILD_INTERVAL_MS;
    }
    await this.#noteUses();
    await this.#sweep();
    await this.#measure();
  }

  async #noteUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const ids = [...this.#uses];
    this.#uses.clear();
    await this.#try(noteUses(ids, Date.now()));
  }

  /** Removes entries that have expired, or whose build has left, some at a time. */
  async #sweep(): Promise<void> {
    const found = await this.#try(findUnusable(this.#sweptId, this.#build, Date.now()));
    const rows = found?.rows[0] ?? [];
    this.#sweptId = Number(rows.at(-1)?.['id'] ?? 0);
    const unusable = rows.filter(({ isUnusable }) => isUnusable === 1).map(({ id }) => Number(id));
    if (unusable.length > 0) await this.#try(deleteEntries(unusable));
  }

  async #measure(): Promise<void> {
    for (let earlier = Infinity; ;) {
      const size = await this.#try(readSize());
      if (size === undefined) return;
      const pages = Number(size.rows[0]?.[0]?.['pages']);
      this.measured(Number(size.rows[1]?.[0]?.['used']), 0);
      if (pages <= this.#bounds.maxPages || pages >= earlier) {
        if (earlier < Infinity) await this.#try(checkpoint());
        return;
      }
      earlier = pages;
      await this.#try(shrink(this.#bounds));
    }
  }

  async #evict(): Promise<void> {
    if (this.#isEvicting) return;
    this.#isEvicting = true;
    for (;;) {
      const evicted = await this.#try(evict(this.#bounds));
      const [dropped = [], size = []] = evicted?.rows ?? [];
      if (dropped.length === 0 || Number(size[0]?.['used']) <= this.#bounds.lowPages) break;
    }
    this.#isEvicting = false;
  }
}
