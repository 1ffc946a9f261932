import { encodeEntry, MAX_ENTRY_MS, PurgeRecords, toTarget } from '@ng-ssr/core/store';
import type { Purge, StoredEntry } from '@ng-ssr/core';
import { hashOf, scatter } from './random.ts';
import type { Scenario } from './scenario.ts';
import type { Site } from './site.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A message about a purge. */
export interface PurgeMessage {
  readonly before: number;
  readonly version: number;
  readonly target: string;
  readonly sender: object;
}

export interface Listener {
  receive(message: PurgeMessage): void;
}

/** A page as the store keeps it: its body is that of the site. */
export interface StoredAt {
  readonly page: number;
  readonly version: number;
  readonly bornMs: number;
  readonly dataMs: number;
}

/** Commands that the store has received, and bytes of pages that it has moved. */
export interface StoreFigures {
  reads: number;
  writes: number;
  readBytes: number;
  writtenBytes: number;
}

interface Shard {
  busyUntilMs: number;
  isDown: boolean;
}

/** The pages of one build: 12 bytes for each that there may be, and its purges. */
class Build {
  readonly born: Uint32Array;
  readonly data: Uint32Array;
  readonly version: Uint32Array;
  readonly records = new PurgeRecords();
  readonly leases = new Map<number, { readonly owner: object; readonly untilMs: number }>();
  readonly listeners = new Set<Listener>();

  constructor(entries: number) {
    this.born = new Uint32Array(entries);
    this.data = new Uint32Array(entries);
    this.version = new Uint32Array(entries);
  }
}

/**
 * The shared store: what Redis does for `redisPageStore()`, by the rules of its scripts (packages/redis/src/scripts.ts).
 * Each command takes a time on its way, and bodies take the bandwidth of their shard, one after the other.
 */
export class Store {
  readonly figures: StoreFigures = { reads: 0, writes: 0, readBytes: 0, writtenBytes: 0 };
  readonly shards: readonly Shard[];
  bytes = 0;
  readonly #time: VirtualTime;
  readonly #site: Site;
  readonly #scenario: Scenario;
  readonly #builds = new Map<string, Build>();
  readonly #entries: number;
  readonly #perPage: number;
  readonly #lifeMs: number;
  readonly #bytesPerMs: number;
  readonly #rttMs: number;
  readonly #lostMessages: number;
  readonly #random: () => number;
  /** Bytes that expire, by second. */
  readonly #expiring = new Map<number, number>();
  #expiredUntil: number;
  /** What an entry has besides its body, as `encodeEntry` writes it. */
  #overhead = 0;

  constructor(scenario: Scenario, site: Site, time: VirtualTime, random: () => number) {
    this.#time = time;
    this.#site = site;
    this.#scenario = scenario;
    this.#random = random;
    this.#perPage = scenario.varyShare > 0 ? scenario.variants + 1 : 1;
    this.#entries = scenario.pages * this.#perPage;
    this.#lifeMs = Math.min((scenario.sMaxAge + scenario.swr) * 1000, MAX_ENTRY_MS);
    this.#bytesPerMs = scenario.storeMbPerSecond * 1000;
    this.#rttMs = scenario.storeRttMs;
    this.#lostMessages = scenario.lostMessages;
    this.#expiredUntil = Math.floor(time.nowMs / 1000);
    this.shards = Array.from({ length: scenario.shards }, () => ({
      busyUntilMs: 0,
      isDown: false,
    }));
  }

  build(id: string): Build {
    let build = this.#builds.get(id);
    if (build === undefined) this.#builds.set(id, (build = new Build(this.#entries)));
    return build;
  }

  /**
   * Fills a build as it is after days of the same traffic. A page is fresh for its lifetime, and then waits for the request that
   * has it rendered again; if that takes too long, it has expired.
   */
  prefill(id: string): void {
    const { pages, prefill, requestsPerSecond, sMaxAge, zipf } = this.#scenario;
    const build = this.build(id);
    const nowMs = Math.floor(this.#time.nowMs);
    const pageOf = scatter(pages);
    let weights = 0;
    for (let rank = 1; rank <= pages; rank++) weights += rank ** -zipf;
    const freshMs = sMaxAge * 1000;
    for (let rank = 0; rank < pages; rank++) {
      const page = pageOf(rank);
      const gapMs = (1000 * weights) / ((rank + 1) ** -zipf * requestsPerSecond);
      if (this.#random() >= prefill) continue;
      const isFresh = this.#random() < freshMs / (freshMs + gapMs);
      const ageMs = isFresh
        ? this.#random() * freshMs
        : freshMs - gapMs * Math.log(1 - this.#random());
      if (ageMs >= this.#lifeMs) continue;
      const at = page * this.#perPage;
      build.born[at] = build.data[at] = nowMs - Math.floor(ageMs);
      this.#account(page, build.born[at], 1);
    }
  }

  /** The place of a key: `https://host\n/p/7` and, for a page with variants, `\n=2`. */
  placeOf(key: string): number {
    const [, path = '', cookie = ''] = key.split('\n', 3);
    const variant = cookie.startsWith('=') ? Number(cookie.slice(1)) : 0;
    return this.#site.pageIn(path) * this.#perPage + variant;
  }

  shardOf(place: number): Shard {
    return this.shards[hashOf(place + 7) % this.shards.length]!;
  }

  /** The shard of the purges. */
  get firstShard(): Shard {
    return this.shards[0]!;
  }

  /**
   * Sends a command: it is carried out half of a round trip later, and its reply arrives when its bytes have.
   *
   * @param run - Carries it out. @param bytes - Of the body that moves, once it is known.
   * @param done - Gets the reply; undefined if there is none within the time limit.
   */
  send<T>(
    shards: readonly Shard[],
    run: () => T,
    bytes: (reply: T) => number,
  ): Promise<T | undefined> {
    return new Promise((resolve) => {
      const time = this.#time;
      time.at(time.nowMs + this.#rttMs / 2, () => {
        if (shards.some(({ isDown }) => isDown)) return;
        const reply = run();
        const shard = shards[0]!;
        const movedMs = bytes(reply) / this.#bytesPerMs;
        shard.busyUntilMs = Math.max(shard.busyUntilMs, time.nowMs) + movedMs;
        time.at(shard.busyUntilMs + this.#rttMs / 2, () => resolve(reply), true);
      });
    });
  }

  read(build: Build, place: number): StoredAt | undefined {
    this.figures.reads++;
    const bornMs = build.born[place]!;
    if (bornMs === 0 || this.#time.nowMs >= bornMs + this.#lifeMs) return undefined;
    const page = Math.floor(place / this.#perPage);
    this.figures.readBytes += this.bytesOf(page);
    return { page, bornMs, dataMs: build.data[place]!, version: build.version[place]! };
  }

  /** Stores a page, unless there is a newer one. */
  write(build: Build, place: number, { page, version, bornMs, dataMs }: StoredAt): void {
    this.figures.writes++;
    this.figures.writtenBytes += this.bytesOf(page);
    const earlierMs = build.born[place]!;
    if (earlierMs !== 0 && this.#time.nowMs < earlierMs + this.#lifeMs) {
      const earlier = build.version[place]!;
      if (earlier > version || (earlier === version && earlierMs > bornMs)) return;
      this.#account(page, earlierMs, -1);
    }
    build.born[place] = bornMs;
    build.data[place] = dataMs;
    build.version[place] = version;
    this.#account(page, bornMs, 1);
  }

  delete(build: Build, place: number): void {
    this.figures.writes++;
    const earlierMs = build.born[place]!;
    if (earlierMs !== 0 && this.#time.nowMs < earlierMs + this.#lifeMs)
      this.#account(Math.floor(place / this.#perPage), earlierMs, -1);
    build.born[place] = 0;
  }

  takeLease(build: Build, place: number, owner: object, lifetimeMs: number): boolean {
    this.figures.writes++;
    const held = build.leases.get(place);
    if (held !== undefined && held.untilMs > this.#time.nowMs) return false;
    build.leases.set(place, { owner, untilMs: this.#time.nowMs + lifetimeMs });
    return true;
  }

  renewLease(build: Build, place: number, owner: object, lifetimeMs: number): void {
    this.figures.writes++;
    if (build.leases.get(place)?.owner !== owner) return;
    build.leases.set(place, { owner, untilMs: this.#time.nowMs + lifetimeMs });
  }

  releaseLease(build: Build, place: number, owner: object): void {
    this.figures.writes++;
    if (build.leases.get(place)?.owner === owner) build.leases.delete(place);
  }

  /** Orders a purge after all others, and publishes it. */
  purge(build: Build, purge: Purge, sender: object): PurgeMessage {
    this.figures.writes++;
    const before = build.records.latest;
    const version = Math.max(before + 1, Math.floor(this.#time.nowMs));
    const target = toTarget(purge);
    build.records.add(target, version);
    const message = { before, version, target, sender };
    for (const listener of build.listeners) {
      if (this.#random() < this.#lostMessages) continue;
      const onItsWayMs = this.#rttMs * (0.5 + this.#random());
      this.#time.at(this.#time.nowMs + onItsWayMs, () => listener.receive(message), true);
    }
    return message;
  }

  /** Loses all pages of a shard, as a server that starts empty. */
  empty(shard: Shard): void {
    const nowMs = this.#time.nowMs;
    for (const build of this.#builds.values()) {
      for (let place = 0; place < this.#entries; place++) {
        const bornMs = build.born[place]!;
        if (bornMs === 0 || this.shardOf(place) !== shard) continue;
        if (nowMs < bornMs + this.#lifeMs)
          this.#account(Math.floor(place / this.#perPage), bornMs, -1);
        build.born[place] = 0;
      }
      for (const place of build.leases.keys())
        if (this.shardOf(place) === shard) build.leases.delete(place);
    }
  }

  /** Bytes of all entries, without those that have expired. */
  liveBytes(): number {
    const untilSecond = Math.floor(this.#time.nowMs / 1000);
    for (; this.#expiredUntil < untilSecond; this.#expiredUntil++) {
      this.bytes -= this.#expiring.get(this.#expiredUntil) ?? 0;
      this.#expiring.delete(this.#expiredUntil);
    }
    return this.bytes;
  }

  bytesOf(page: number): number {
    this.#overhead ||= this.#measure();
    const { byteLength } = this.#site.bodyOf(page);
    return Math.round(byteLength * this.#scenario.brotliShare) + this.#overhead;
  }

  #account(page: number, bornMs: number, sign: 1 | -1): void {
    const bytes = sign * this.bytesOf(page);
    const second = Math.floor((bornMs + this.#lifeMs) / 1000);
    if (second < this.#expiredUntil) return;
    this.bytes += bytes;
    this.#expiring.set(second, (this.#expiring.get(second) ?? 0) + bytes);
  }

  #measure(): number {
    const site = this.#site;
    const entry: StoredEntry = {
      ...{ status: 200, headers: site.headersOf(1_000_000, 100_000_000), body: new Uint8Array(0) },
      ...{ path: site.pathOf(1_000_000), tags: [site.tagOf(0)], dateMs: 0 },
      ...{ freshSeconds: 3600, staleWhileRevalidateSeconds: 86_400, staleIfErrorSeconds: 0 },
    };
    return encodeEntry('key', entry, 1, 1000, 1e6)!.byteLength;
  }
}

export type { Build, Shard };
