import { randomUUID } from 'node:crypto';
import type { Purge, StoredEntry } from '@ng-ssr/core';
import type { Client } from './connection.ts';
import type { Keys } from './keys.ts';
import { EVERYTHING, LOST, PurgeRecords, toPurge, toTarget } from './purge-records.ts';
import { MAX_VERSION_AHEAD_MS, PURGE_LIFETIME_MS } from './scripts.ts';

// Whoever has everybody read again and again must not keep pages waiting.
const MOST_READS = 5;

// Who only publishes must leave room for many purges below the limit of versions.
const MAX_MESSAGE_AHEAD_MS = 60 * 60 * 1000;
// Later than every purge that Redis has confirmed.
const FIRST_UNCONFIRMED = 2 ** 52;

/** Whom purges concern. */
export interface SharedPurgesContext {
  /** Called with purges that this process has not made. */
  onPurge(purge: Purge): void;
  /** Called when some may have been missed: `read` is to be called. */
  onGap(): void;
}

/**
 * The purges of all processes, as this one knows them. Messages bring them at once; whoever misses
 * one finds the version of the latest purge ahead of what has been seen, and reads the records.
 */
export class SharedPurges {
  readonly #keys: Keys;
  readonly #context: SharedPurgesContext;
  readonly #records = new PurgeRecords();
  /** Purges of this process that Redis may not have: of the pages that it shares, none is exempt. */
  readonly #unconfirmed = new PurgeRecords();
  readonly #sender = randomUUID();
  /** The clock of Redis at the latest read, less this process's own. */
  #clockOffsetMs = -Infinity;
  #seen = 0;
  #gaps = 0;
  #isRead = false;
  #reading: Promise<void> | undefined;

  constructor(keys: Keys, context: SharedPurgesContext) {
    this.#keys = keys;
    this.#context = context;
  }

  /** The version of the latest purge known: a render that begins now sees what it was about. */
  get version(): number {
    return this.#records.latest;
  }

  /** Whether all purges up to that version are known, so that entries can be judged. */
  hasSeen(latest: number): boolean {
    return this.#isRead && this.#seen >= latest;
  }

  /** Whether there has been a purge with that version: an entry behind a later one is made up. */
  hasBeen(version: number): boolean {
    return version <= Math.max(this.#seen, this.#records.latest);
  }

  /** Whether Redis has what this process has: it may be ahead, or have lost some. */
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

  /** Purges that Redis has not confirmed, to be sent (again). */
  get unconfirmed(): (readonly [target: string, number: number])[] {
    return [...this.#unconfirmed];
  }

  /** Judges shared pages by a purge from now on, whether or not Redis will have it. */
  add(purge: Purge): readonly [target: string, number: number] {
    const target = toTarget(purge);
    const number = Math.max(this.#unconfirmed.latest + 1, FIRST_UNCONFIRMED);
    this.#unconfirmed.add(target, number);
    return [target, number];
  }

  /**
   * Orders a purge behind all others, keeps it in Redis and tells everybody.
   *
   * @param pathKey - Where Redis has a note if there may be pages: without one nothing is done.
   */
  async send(
    client: Client,
    [target, number]: readonly [string, number],
    pathKey?: string,
  ): Promise<void> {
    const keys = [this.#keys.latestPurge, this.#keys.purges] as const;
    const purge = [
      ...[target, this.#keys.purgeChannel, this.#sender],
      ...[this.#records.latest, EVERYTHING, LOST],
    ] as [string, string, string, number, string, string];
    const [before, version] =
      pathKey === undefined
        ? await client.purge(keys, ...purge)
        : await client.purgePath([...keys, pathKey], ...purge);
    if (version !== undefined) this.#records.add(target, Number(version));
    this.#unconfirmed.delete(target, number);
    if (version !== undefined) this.#advance(Number(before), Number(version));
  }

  /** Takes a message in. */
  hear(message: string): void {
    const purge = parseMessage(message);
    if (purge === undefined) return this.readAgain();
    const { before, version, sender, target } = purge;
    if (version > this.#redisNowMs + MAX_MESSAGE_AHEAD_MS) return this.readAgain();
    this.#add(target, version, sender !== this.#sender);
    this.#advance(before, version);
  }

  /** Has all records read again, because some may have been missed. */
  readAgain(): void {
    this.#seen = 0;
    this.#gaps++;
    this.#context.onGap();
  }

  /** The version of the latest purge in Redis, or 0 when it has lost it. */
  async latest(client: Client): Promise<number> {
    const expiration = { type: 'PX', value: PURGE_LIFETIME_MS } as const;
    return toVersion(await client.getEx(this.#keys.latestPurge, expiration)) ?? 0;
  }

  /** Reads the records that have not been seen; joins a read that has begun. */
  read(client: Client): Promise<void> {
    this.#reading ??= this.#read(client).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(client: Client): Promise<void> {
    for (let reads = 0; reads < MOST_READS; reads++) {
      const gaps = this.#gaps;
      const latest = await this.#readOnce(client);
      // Unless all are to be read again meanwhile.
      if (gaps === this.#gaps) {
        this.#seen = Math.max(this.#seen, latest);
        return;
      }
    }
  }

  /** @returns the version of the latest. */
  async #readOnce(client: Client): Promise<number> {
    const keys = [this.#keys.latestPurge, this.#keys.purges] as const;
    const known = this.#records.latest;
    const reply = await client.readPurges(keys, this.#seen, known, LOST);
    const [latest, state, nowMs, ...records] = reply;
    this.#clockOffsetMs = Number(nowMs) - performance.now();
    const limit = Number(nowMs) + MAX_VERSION_AHEAD_MS;
    if (Math.max(known, this.#seen) > limit) {
      // The clock of Redis has been set back: what it said before is beyond its versions of now.
      this.#records.forgetBeyond(limit);
      this.readAgain();
    }
    for (let i = 0; i + 1 < records.length; i += 2) {
      const [target, version] = [records[i]!, toVersion(records[i + 1])];
      // What was lost before this process began is nothing it has in memory.
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
    if (purge === undefined || !this.#records.add(target, version)) return;
    if (isOfOthers) this.#context.onPurge(purge);
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

/** Undefined for whatever is no purge: the message that all are to be read again, for one. */
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
