import { randomUUID } from 'node:crypto';
import type { Purge, StoredEntry } from '@ng-ssr/core';
import { EVERYTHING, LOST, MAX_PURGES, PurgeRecords, toPurge, toTarget } from '@ng-ssr/core/store';
import type { Client } from './client.ts';
import type { Keys } from './keys.ts';
import type { Commands } from './redis-node.ts';
import { MAX_VERSION_AHEAD_MS, PURGE_LIFETIME_MS } from './scripts.ts';

// Pages must not wait longer, even if messages demand further reads again and again.
const MOST_READS = 5;

// A client that can only publish must not use up the versions below MAX_VERSION_AHEAD_MS.
const MAX_MESSAGE_AHEAD_MS = 60 * 60 * 1000;
// Higher than the version of every purge that Redis has confirmed.
const FIRST_UNCONFIRMED = 2 ** 52;

/** Callbacks of {@link SharedPurges}. */
export interface SharedPurgesContext {
  /** Called with purges of other processes. */
  onPurge(purge: Purge): void;
  /** Called when purges may have been missed: the caller must call `read`. */
  onGap(): void;
  /** Called with the first record that is no purge: another program has written it. */
  onInvalid(target: string): void;
}

/**
 * The purges of all processes, as far as this one knows them. Messages deliver them at once. A process
 * that misses one finds a newer version of the latest purge in Redis, and reads the records.
 */
export class SharedPurges {
  readonly #keys: Keys;
  readonly #context: SharedPurgesContext;
  readonly #records = new PurgeRecords();
  /** Purges of this process that Redis may not have: they apply to every shared page. */
  readonly #unconfirmed = new PurgeRecords();
  readonly #sender = randomUUID();
  /** The clock of Redis minus this process's monotonic clock, at the latest read. */
  #clockOffsetMs = -Infinity;
  #seen = 0;
  #gaps = 0;
  #isRead = false;
  #isInvalidReported = false;
  #reading: Promise<void> | undefined;

  constructor(keys: Keys, context: SharedPurgesContext) {
    this.#keys = keys;
    this.#context = context;
  }

  /** The version of the latest purge known: a render that begins now is newer than that purge. */
  get version(): number {
    return this.#records.latest;
  }

  /** Whether all purges up to that version are known, so that entries can be judged. */
  hasSeen(latest: number): boolean {
    return this.#isRead && this.#seen >= latest;
  }

  /** Whether a purge with that version may exist: an entry with a higher one is not genuine. */
  hasBeen(version: number): boolean {
    return version <= this.newest;
  }

  /** The highest version of a purge that is known to exist. */
  get newest(): number {
    return Math.max(this.#seen, this.#records.latest);
  }

  /** Whether Redis and this process have the same purges: Redis may be ahead, or have lost some. */
  isInStep(latest: number): boolean {
    return this.#isRead && this.#seen === latest;
  }

  stateOf(entry: StoredEntry, version: number): 'current' | 'stale' | 'gone' {
    const state = this.#records.stateOf(entry, version);
    if (state === 'gone' || !this.hasUnconfirmed) return state;
    const unconfirmed = this.#unconfirmed.stateOf(entry, version);
    return unconfirmed === 'current' ? state : unconfirmed;
  }

  get hasUnconfirmed(): boolean {
    return this.#unconfirmed.size > 0;
  }

  get unconfirmedCount(): number {
    return this.#unconfirmed.size;
  }

  /** Applies a purge to shared pages from now on, whether or not Redis confirms it. */
  add(purge: Purge): readonly [target: string, number: number] {
    // A full list replaces its oldest purges by one of everything, which would not be sent.
    const isKept = this.#unconfirmed.size < MAX_PURGES - 1;
    const target = isKept ? toTarget(purge) : EVERYTHING;
    const number = Math.max(this.#unconfirmed.latest + 1, FIRST_UNCONFIRMED);
    this.#unconfirmed.add(target, number);
    return [target, number];
  }

  /** Forgets a purge that no other process needs. */
  withdraw([target, number]: readonly [string, number]): void {
    this.#unconfirmed.delete(target, number);
  }

  /** Orders a purge after all others, stores it in Redis and publishes it. */
  async send(lasting: Commands['lasting'], [target]: readonly [string, number]): Promise<void> {
    // It stands for all of its target that were added before.
    const number = this.#unconfirmed.versionOf(target);
    const keys = [this.#keys.latestPurge, this.#keys.purges] as const;
    const [channel, known] = [this.#keys.purgeChannel, this.#records.latest];
    const [before, version] = await lasting((client) =>
      client.purge(keys, target, channel, this.#sender, known, EVERYTHING, LOST),
    );
    this.#records.add(target, Number(version));
    this.#unconfirmed.delete(target, number);
    this.#advance(Number(before), Number(version));
  }

  /** Handles a message. */
  receive(message: string): void {
    const purge = parseMessage(message);
    if (purge === undefined) return this.readAgain();
    const { before, version, sender, target } = purge;
    if (version > this.#redisNowMs + MAX_MESSAGE_AHEAD_MS) return this.readAgain();
    this.#add(target, version, sender !== this.#sender);
    this.#advance(before, version);
  }

  /** Causes all records to be read again, because some may have been missed. */
  readAgain(): void {
    this.#seen = 0;
    this.#gaps++;
    this.#context.onGap();
  }

  /** The version of the latest purge in Redis, or 0 if Redis has lost it. */
  async latest(client: Client): Promise<number> {
    const expiration = { type: 'PX', value: PURGE_LIFETIME_MS } as const;
    return toVersion(await client.getEx(this.#keys.latestPurge, expiration)) ?? 0;
  }

  /** Reads the records not seen yet; joins a read in flight. */
  read(client: Client): Promise<void> {
    this.#reading ??= this.#read(client).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(client: Client): Promise<void> {
    for (let reads = 0; reads < MOST_READS; reads++) {
      const gaps = this.#gaps;
      const latest = await this.#readOnce(client);
      // Otherwise all must be read again.
      if (gaps === this.#gaps) {
        this.#seen = Math.max(this.#seen, latest);
        return;
      }
    }
  }

  /** @returns the version of the latest purge. */
  async #readOnce(client: Client): Promise<number> {
    const keys = [this.#keys.latestPurge, this.#keys.purges] as const;
    const known = this.#records.latest;
    const reply = await client.readPurges(keys, this.#seen, known, LOST);
    const [latest, state, nowMs, ...records] = reply;
    this.#clockOffsetMs = Number(nowMs) - performance.now();
    const limit = Number(nowMs) + MAX_VERSION_AHEAD_MS;
    if (Math.max(known, this.#seen) > limit) {
      // The clock of Redis was set back: known versions are beyond its limit for new ones.
      this.#records.forgetBeyond(limit);
      this.readAgain();
    }
    for (let i = 0; i + 1 < records.length; i += 2) {
      const [target, version] = [records[i]!, toVersion(records[i + 1])];
      // Purges lost before this process started do not concern its memory.
      const isNews = this.#isRead || target !== LOST;
      if (version !== undefined) this.#add(target, version, isNews);
    }
    if (state === 'lost') await client.restorePurges(keys, this.#keys.purgeChannel, this.#records);
    this.#isRead = true;
    return toVersion(latest) ?? 0;
  }

  get #redisNowMs(): number {
    return this.#clockOffsetMs + performance.now();
  }

  #add(target: string, version: number, isOfOthers: boolean): void {
    const purge = toPurge(target);
    if (purge === undefined) return this.#passOver(target);
    if (!this.#records.add(target, version)) return;
    if (isOfOthers) this.#context.onPurge(purge);
  }

  #passOver(target: string): void {
    if (this.#isInvalidReported) return;
    this.#isInvalidReported = true;
    this.#context.onInvalid(target);
  }

  #advance(before: number, version: number): void {
    if (before <= this.#seen && this.#isRead) this.#seen = Math.max(this.#seen, version);
    else this.#context.onGap();
  }
}

interface PurgeMessage {
  readonly before: number;
  readonly version: number;
  readonly sender: string;
  readonly target: string;
}

/** Undefined for a message that is no purge, such as the empty one after which all are read again. */
function parseMessage(message: string): PurgeMessage | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
  const before = toVersion(parts[0]);
  const version = toVersion(parts[1]);
  const [, , sender, target] = parts;
  if (before === undefined || version === undefined) return undefined;
  if (sender === undefined || target === undefined) return undefined;
  return { before, version, sender, target };
}

function toVersion(text: string | null | undefined): number | undefined {
  const version = typeof text === 'string' && text !== '' ? Number(text) : NaN;
  return Number.isSafeInteger(version) && version >= 0 ? version : undefined;
}
