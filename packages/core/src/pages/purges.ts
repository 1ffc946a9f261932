import { normalisePath } from '../http/normalise-path.ts';
import { isWellFormed, pathOf } from '../http/target.ts';
import type { Purge } from '../purge.ts';
import { channelOf } from '../telemetry/channels.ts';
import { checkPurge } from './check-purge.ts';
import { readWrittenPath } from './key/written-path.ts';
import type { PageMemory } from './memory/page-memory.ts';
import type { RouteRules } from './policy/route-rules.ts';
import { isOfCall } from './store/path-of-call.ts';
import type { SharedPages } from './store/shared-pages.ts';

const purges = channelOf('ng-ssr:purge');

/** Something besides pages that purges reach: calls. */
export interface PurgeObserver {
  /** Called in the same turn of the event loop in which the pages are purged, and once more after a shared store. */
  purged(purge: Purge): void;
}

/** Purges stored pages in memory and in all processes that share the store. */
export class Purges {
  readonly #rules: RouteRules;
  readonly #memory: PageMemory;
  readonly #shared: () => SharedPages | undefined;
  #observer: PurgeObserver | undefined;

  constructor(rules: RouteRules, memory: PageMemory, shared: () => SharedPages | undefined) {
    this.#rules = rules;
    this.#memory = memory;
    this.#shared = shared;
  }

  observe(observer: PurgeObserver): void {
    this.#observer = observer;
  }

  /** As `StoredPages.purge`. */
  async purge(purge: Purge): Promise<void> {
    checkPurge(purge);
    const { path, prefix, tag, hard = false } = purge;
    const normalised =
      path !== undefined
        ? { path: this.#rules.read(readWrittenPath(path)).routePath, hard }
        : prefix !== undefined
          ? { prefix: this.#rules.readPrefix(prefix), hard }
          : { tag, hard };
    this.purgeMemory(normalised, false);
    const shared = this.#shared();
    if (shared === undefined) return;
    try {
      await shared.purge(normalised);
    } finally {
      // A page or a call that was read from the store meanwhile may predate the purge.
      this.#observer?.purged(normalised);
      this.#memory.purge(normalised);
    }
  }

  /**
   * Removes the pages of a target's path, with all queries and variants, here at once and in all
   * processes that share the store. Never throws. A path without pages leaves no record.
   */
  invalidate(target: string): void {
    if (!isWellFormed(target)) return;
    const path = this.#rules.read(normalisePath(pathOf(target))).routePath;
    const purge: Purge = { path, hard: true };
    if (this.#memory.mayHold(path)) this.purgeMemory(purge, false);
    void this.#shared()
      ?.invalidate(path)
      .then((mayHaveReadOld) => {
        if (mayHaveReadOld && this.#memory.mayHold(path)) this.#memory.purge(purge);
      });
  }

  /** @param isRemote - Whether the purge comes from another process. */
  purgeMemory(purge: Purge, isRemote: boolean): void {
    // Before the pages: no page of a later render may be made of a call that the purge means.
    this.#observer?.purged(purge);
    if (isOfCall(purge)) return;
    this.#memory.purge(purge);
    if (purges.hasSubscribers) purges.publish({ ...purge, isRemote });
  }
}
