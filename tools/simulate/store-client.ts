import type { PageStore, Purge, StoredEntry } from '@ng-ssr/core';
import { HeldLease, LIFE_SIGN_MS, PurgeRecords, toPurge, toTarget } from '@ng-ssr/core/store';
import { SsrError } from '@ng-ssr/core';
import type { Scenario } from './scenario.ts';
import { DATA_HEADER, type Site } from './site.ts';
import type { Build, Listener, PurgeMessage, Shard, Store } from './store.ts';

/** The defaults of `redisPageStore()`. */
const TIMEOUT_MS = 50;
const LEASE_MS = 10_000;
const PURGE_TIMEOUT_MS = 1000;
const CHECK_INTERVAL_MS = 1000;
/** After a command without a reply, a shard is asked again when it answers a PING: the time between those. */
const PROBE_MS = 500;
/** Above the version of every purge that the store has confirmed. */
const FIRST_UNCONFIRMED = 2 ** 52;

/** Mistakes that are planted, to see whether they are found. */
export interface Plants {
  /** Purges of others do not reach the memory of a machine. */
  readonly keepsPurged?: boolean;
  /** The store does not compare its entries with purges. */
  readonly ignoresPurges?: boolean;
}

/**
 * The `PageStore` of one machine. It does what that of @ng-ssr/redis does: the knowledge of purges, the wait for a reply and the
 * leases are those of packages/redis/src/shared-purges.ts, circuit-breaker.ts and redis-page-store.ts.
 */
export class StoreClient implements PageStore, Listener {
  readonly #store: Store;
  readonly #site: Site;
  readonly #scenario: Scenario;
  readonly #plants: Plants;
  readonly #onKnown: (purge: Purge) => void;
  readonly #records = new PurgeRecords();
  /** Purges of this machine that the store may not have. */
  readonly #unconfirmed = new PurgeRecords();
  readonly #silentUntilMs = new Map<Shard, number>();
  #build!: Build;
  #onPurge!: (purge: Purge) => void;
  #seen = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onKnown - Called when this machine learns of another one's purge. */
  constructor(
    store: Store,
    site: Site,
    scenario: Scenario,
    onKnown: (purge: Purge) => void,
    plants: Plants = {},
  ) {
    this.#store = store;
    this.#site = site;
    this.#scenario = scenario;
    this.#onKnown = onKnown;
    this.#plants = plants;
  }

  open({ buildId, onPurge }: Parameters<PageStore['open']>[0]): void {
    this.#build = this.#store.build(buildId);
    this.#onPurge = onPurge;
    for (const [target, version] of this.#build.records) this.#records.add(target, version);
    this.#seen = this.#build.records.latest;
    this.#build.listeners.add(this);
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS);
  }

  version(): number {
    return this.#records.latest;
  }

  async get(key: string): ReturnType<PageStore['get']> {
    const store = this.#store;
    const place = store.placeOf(key);
    const found = await this.#ask(
      [store.shardOf(place), store.firstShard],
      () => ({ stored: store.read(this.#build, place), latest: this.#build.records.latest }),
      ({ stored }) => (stored === undefined ? 0 : store.bytesOf(stored.page)),
    );
    if (found?.stored === undefined) return undefined;
    const { stored, latest } = found;
    // Whatever was confirmed before this call is known after it.
    if (this.#seen < latest) await this.#catchUp();
    if (this.#seen < latest) return undefined;
    const entry = this.#toEntry(stored.page, stored.bornMs, stored.dataMs);
    const state = this.#plants.ignoresPurges ? 'current' : this.#stateOf(entry, stored.version);
    return state === 'gone' ? undefined : { entry, isPurged: state === 'stale' };
  }

  async set(key: string, entry: StoredEntry, version: number): Promise<void> {
    if (!('body' in entry)) throw new Error('pages vary by cookies of their rule alone');
    const store = this.#store;
    const place = store.placeOf(key);
    const page = this.#site.pageIn(entry.path);
    const dataMs = Number(entry.headers[entry.headers.indexOf(DATA_HEADER) + 1]);
    const bornMs = Math.floor(performance.now() - (Date.now() - entry.dateMs));
    // With the page, Redis gets a note of its path.
    const note = (): void => void store.figures.writes++;
    await this.#ask(
      [store.shardOf(place)],
      () => {
        store.write(this.#build, place, { page, version, bornMs, dataMs });
        note();
      },
      () => store.bytesOf(page),
    );
  }

  async delete(key: string): Promise<void> {
    const place = this.#store.placeOf(key);
    await this.#ask([this.#store.shardOf(place)], () => this.#store.delete(this.#build, place));
  }

  async purge(purge: Purge): Promise<void> {
    const store = this.#store;
    const target = toTarget(purge);
    const number = Math.max(this.#unconfirmed.latest + 1, FIRST_UNCONFIRMED);
    this.#unconfirmed.add(target, number);
    const message = await this.#ask(
      [store.firstShard],
      () => store.purge(this.#build, purge, this),
      () => 0,
      PURGE_TIMEOUT_MS,
    );
    if (message === undefined)
      throw new SsrError('NG_SSR_STORE_UNAVAILABLE', 'the store did not confirm a purge');
    this.#unconfirmed.delete(target, number);
    this.receive(message);
  }

  async lease(key: string): ReturnType<PageStore['lease']> {
    const store = this.#store;
    const place = store.placeOf(key);
    const shards = [store.shardOf(place)];
    const owner = {};
    let isLate = false;
    const isGranted = await this.#ask(
      shards,
      () => !isLate && store.takeLease(this.#build, place, owner, LIFE_SIGN_MS),
    );
    if (isGranted === undefined) {
      // A lease that comes too late is released.
      isLate = true;
      store.releaseLease(this.#build, place, owner);
      return undefined;
    }
    if (!isGranted) return 'taken';
    return new HeldLease({
      leaseMs: LEASE_MS,
      renew: async (lifetimeMs) => {
        await this.#ask(shards, () => store.renewLease(this.#build, place, owner, lifetimeMs));
      },
      release: async () => {
        await this.#ask(shards, () => store.releaseLease(this.#build, place, owner));
      },
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#build.listeners.delete(this);
  }

  receive({ before, version, target, sender }: PurgeMessage): void {
    this.#add(target, version, sender === this);
    if (before <= this.#seen) this.#seen = Math.max(this.#seen, version);
    else void this.#catchUp();
  }

  #stateOf(entry: StoredEntry, version: number): 'current' | 'stale' | 'gone' {
    const state = this.#records.stateOf(entry, version);
    if (state === 'gone' || this.#unconfirmed.size === 0) return state;
    const unconfirmed = this.#unconfirmed.stateOf(entry, version);
    return unconfirmed === 'current' ? state : unconfirmed;
  }

  /** Reads the purges that this machine does not know. */
  async #catchUp(): Promise<void> {
    const records = await this.#ask([this.#store.firstShard], () => {
      this.#store.figures.reads++;
      return [...this.#build.records].filter(([, version]) => version > this.#seen);
    });
    for (const [target, version] of records ?? []) this.#add(target, version, false);
    const newest = Math.max(0, ...(records ?? []).map(([, version]) => version));
    this.#seen = Math.max(this.#seen, newest);
  }

  async #check(): Promise<void> {
    const latest = await this.#ask([this.#store.firstShard], () => {
      this.#store.figures.reads++;
      return this.#build.records.latest;
    });
    if (latest !== undefined && this.#seen < latest) await this.#catchUp();
  }

  #add(target: string, version: number, isOwn: boolean): void {
    if (!this.#records.add(target, version) || isOwn) return;
    const purge = toPurge(target)!;
    if (!this.#plants.keepsPurged) this.#onPurge(purge);
    this.#onKnown(purge);
  }

  #toEntry(page: number, bornMs: number, dataMs: number): StoredEntry {
    const { sMaxAge, swr } = this.#scenario;
    return {
      ...{
        status: 200,
        headers: this.#site.headersOf(page, dataMs),
        body: this.#site.bodyOf(page),
      },
      ...{ path: this.#site.pathOf(page), tags: [this.#site.tagOf(page)] },
      dateMs: Date.now() - (performance.now() - bornMs),
      ...{ freshSeconds: sMaxAge, staleWhileRevalidateSeconds: swr, staleIfErrorSeconds: 0 },
    };
  }

  /** The reply; undefined if it is too late, and from then on until the shard answers a PING. */
  async #ask<T>(
    shards: readonly Shard[],
    run: () => T,
    bytes: (reply: T) => number = () => 0,
    timeoutMs = TIMEOUT_MS,
  ): Promise<T | undefined> {
    if (shards.some((shard) => this.#isSilent(shard))) return undefined;
    return new Promise((resolve) => {
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        for (const shard of shards) this.#silence(shard);
        resolve(undefined);
      }, timeoutMs);
      void this.#store.send(shards, run, bytes).then((reply) => {
        if (isOver) return;
        clearTimeout(timer);
        resolve(reply);
      });
    });
  }

  #isSilent(shard: Shard): boolean {
    const untilMs = this.#silentUntilMs.get(shard);
    if (untilMs === undefined) return false;
    const nowMs = performance.now();
    if (nowMs < untilMs) return true;
    if (shard.isDown || shard.busyUntilMs > nowMs + TIMEOUT_MS) {
      this.#silentUntilMs.set(shard, nowMs + PROBE_MS);
      return true;
    }
    this.#silentUntilMs.delete(shard);
    return false;
  }

  #silence(shard: Shard): void {
    if (shard.isDown || shard.busyUntilMs > performance.now() + TIMEOUT_MS)
      this.#silentUntilMs.set(shard, performance.now() + PROBE_MS);
  }
}
