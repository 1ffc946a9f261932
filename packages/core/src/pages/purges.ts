import { isWellFormed, normalisePath, pathOf } from '../http/target.ts';
import type { Purge } from '../purge.ts';
import { channelOf } from '../telemetry/channels.ts';
import { checkPurge } from './check-purge.ts';
import type { DownstreamCache } from './downstream-cache.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import type { RouteRules } from './policy/route-rules.ts';
import { isOfCall } from './path-of-call.ts';
import {
  type CountPurged,
  countMatching,
  normalisePurge,
  type PurgePages,
  type PurgeReach,
} from './purge-reach.ts';
import type { Tier } from './tier.ts';

const purges = channelOf('ng-ssr:purge');

/** Something besides pages that purges reach: calls. */
export interface PurgeObserver {
  /** Called in the same turn of the event loop in which the pages are purged, and once more after a shared store. */
  purged(purge: Purge): void;
}

/** Purges stored pages in memory, in all processes that share the store, and in the cache in front of the server, in this order. */
export class Purges {
  readonly #rules: RouteRules;
  readonly #memory: MemoryStore;
  readonly #tier: () => Tier | undefined;
  readonly #downstream: DownstreamCache | undefined;
  #observer: PurgeObserver | undefined;

  constructor(
    rules: RouteRules,
    memory: MemoryStore,
    tier: () => Tier | undefined,
    downstream: DownstreamCache | undefined,
  ) {
    this.#rules = rules;
    this.#memory = memory;
    this.#tier = tier;
    this.#downstream = downstream;
  }

  observe(observer: PurgeObserver): void {
    this.#observer = observer;
  }

  /** As `StoredPages.purge`. */
  readonly purge: PurgePages = (async (purge: Purge, options?: CountPurged) => {
    checkPurge(purge);
    // Before the purge: afterwards a page that was removed is not in memory.
    const reach = options?.count && this.#reach(purge);
    await this.#purge(normalisePurge(this.#rules, purge));
    return reach;
  }) as PurgePages;

  async #purge(normalised: readonly Purge[]): Promise<void> {
    for (const each of normalised) this.purgeMemory(each, false);
    const tier = this.#tier();
    if (tier === undefined) return this.#purgeDownstream(normalised, 'memory is purged');
    try {
      await Promise.all(normalised.map((each) => this.#purgeTier(tier, each)));
    } catch (cause) {
      // Visitors get new pages from this process at least; the caller tries again.
      await this.#purgeDownstream(normalised, 'memory is purged, the page store has failed too');
      throw cause;
    }
    await this.#purgeDownstream(normalised, 'memory and the page store are purged');
  }

  #reach(purge: Purge): PurgeReach {
    const here = countMatching(this.#memory, normalisePurge(this.#rules, purge));
    const store = this.#tier() === undefined ? [] : (['store'] as const);
    return { here, elsewhere: [...store, ...(this.#downstream ? [this.#downstream.kind] : [])] };
  }

  /** @param done - As `DownstreamCache.purge`. */
  async #purgeDownstream(purges: readonly Purge[], done: string): Promise<void> {
    const downstream = this.#downstream;
    if (downstream) await Promise.all(purges.map((purge) => downstream.purge(purge, done)));
  }

  async #purgeTier(tier: Tier, purge: Purge): Promise<void> {
    try {
      await tier.purge(purge);
    } finally {
      // A page or a call that was read from the store meanwhile may predate the purge.
      this.#observer?.purged(purge);
      this.#memory.purge(purge);
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
    const tier = this.#tier();
    if (tier === undefined) return this.#downstream?.invalidate(path);
    void tier.invalidate(path).then((mayHaveReadOld) => {
      if (mayHaveReadOld && this.#memory.mayHold(path)) this.#memory.purge(purge);
      this.#downstream?.invalidate(path);
    });
  }

  /** @param isRemote - Whether the purge comes from another process. */
  purgeMemory(purge: Purge, isRemote: boolean): void {
    // Before the pages: no page of a later render may be made of a call that the purge means.
    this.#observer?.purged(purge);
    if (isOfCall(purge)) return;
    this.#memory.purge(purge);
    // Another process invalidates a page that the cache in front has got from this one. An explicit purge of a path looks alike.
    if (isRemote && purge.hard === true && purge.path !== undefined)
      this.#downstream?.invalidate(purge.path);
    if (purges.hasSubscribers) purges.publish({ ...purge, isRemote });
  }
}
