import { randomUUID } from 'node:crypto';
import { type PageStore, type Purge, SsrError, type StoredEntry } from '@ng-ssr/core';
import {
  decodeEntry,
  encodeEntry,
  HeldLease,
  Invalidations,
  LEAST_NOTE_MS,
  LIFE_SIGN_MS,
  MAX_ENTRY_MS,
  MAX_UNSHARED_MS,
  timeLimit,
  within,
} from '@ng-ssr/core/store';
import { ErrorReply } from '@redis/client';
import { Connection } from './connection.ts';
import { Keys } from './keys.ts';
import {
  type RedisPageStoreOptions,
  databaseOf,
  type ResolvedOptions,
  purgeTimeoutMs,
  resolveOptions,
  describeServers,
} from './options.ts';
import { readValue } from './read-value.ts';
import type { Commands } from './redis-node.ts';
import { Refusals, withoutArguments } from './refusals.ts';
import { SharedPurges } from './shared-purges.ts';
import { slotOf } from './slots.ts';
import { UnnotedPaths } from './unnoted-paths.ts';

// The longest time until a purge is seen whose message was lost.
const CHECK_INTERVAL_MS = 1_000;
// The delay doubles each time Redis refuses purges, up to this one.
const LONGEST_RETRY_MS = 30_000;

/**
 * A store for `withSharedStore()`: all processes of a build share cached pages in Redis 6.2 or later, or Valkey. It
 * connects when the server starts. If Redis is unreachable, each process caches its own pages, and `onError` gets
 * `NG_SSR_STORE_UNAVAILABLE` once per outage; purges then reject with this code.
 *
 * @param options - Times in milliseconds, sizes in bytes.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * features: [withSharedStore(redisPageStore({ url: process.env['REDIS_URL'] }))]
 * ```
 */
export function redisPageStore(options: RedisPageStoreOptions = {}): PageStore {
  return new RedisPageStore(resolveOptions(options));
}

// The most invalidations kept while Redis is away or refuses them.
const MOST_INVALIDATIONS = 1_000;
// A lifetime that Redis accepts, longer than any process runs.
const MOST_NOTE_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** A purge that Redis has not confirmed. */
type SentPurge = ReturnType<SharedPurges['add']>;

class RedisPageStore implements PageStore {
  #options: ResolvedOptions;
  readonly #purgeTimeoutMs: number;
  #keys!: Keys;
  #connection!: Connection;
  #purges!: SharedPurges;
  #onError!: (error: SsrError) => void;
  #checkTimer: NodeJS.Timeout | undefined;
  #retryDelayMs = 0;
  #retryAtMs = 0;
  #isRetrying = false;
  readonly #invalidations = new Invalidations<SentPurge>((path, sent) =>
    this.#invalidate(path, sent),
  );
  /** Purges that have not reached Redis, by target; those in flight are not among them. */
  readonly #unsent = new Map<string, SentPurge>();
  readonly #refusals = new Refusals();
  readonly #unnoted = new UnnotedPaths();
  /** Resolves when Redis is reached or is unreachable, for a program that fills it. */
  #reached: Promise<void> | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#purgeTimeoutMs = purgeTimeoutMs(options);
  }

  open({ buildId, onPurge, onError, isFilling }: Parameters<PageStore['open']>[0]): void {
    this.#onError = onError;
    const timeoutMs = timeLimit(this.#options.timeoutMs, isFilling);
    this.#options = { ...this.#options, timeoutMs };
    this.#keys = new Keys(this.#options.prefix, buildId, databaseOf(this.#options.url));
    this.#purges = new SharedPurges(this.#keys, {
      onPurge,
      onGap: () => void this.#catchUp(),
      onInvalid: (target) =>
        this.#report(
          `contains a record that is not a purge and is skipped: ${JSON.stringify(target.slice(0, 100))}`,
        ),
    });
    let noteReached = (): void => {};
    if (isFilling === true) this.#reached = new Promise((resolve) => (noteReached = resolve));
    const events = {
      onUsable: () => {
        noteReached();
        this.#purges.readAgain();
        for (const purge of this.#unnoted.take()) onPurge(purge);
        void this.#sendPurges();
      },
      onOutage: (cause: unknown) => {
        noteReached();
        this.#report(
          'is unreachable: until it responds, each process renders its own pages',
          cause,
        );
      },
    };
    this.#connection = new Connection(this.#options, events, {
      channel: this.#keys.purgeChannel,
      onSubscribed: () => this.#purges.readAgain(),
      onMessage: (message) => this.#purges.receive(message),
      onRefused: (error) => this.#refuse('subscribe', error),
    });
    this.#connection.open();
    this.#checkTimer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  version(): number {
    return this.#purges.version;
  }

  async get(key: string): ReturnType<PageStore['get']> {
    if (this.#reached) await this.#untilRead(this.#reached);
    const pageKey = this.#keys.page(key);
    const { latestPurge } = this.#keys;
    const [found, latest] = await Promise.all([
      this.#ask('get', pageKey, ({ client, bytes }) =>
        // First the time: an entry stored in between must not seem younger than it is.
        Promise.all([client.pTTL(pageKey), readValue(bytes, pageKey, this.#options.maxEntryBytes)]),
      ),
      // Whatever was confirmed before this call is known after it.
      this.#ask('purges', latestPurge, ({ client }) => this.#purges.latest(client)),
    ]);
    if (found === undefined || latest === undefined) return undefined;
    const [leftMs, value] = found;
    const decoded = await decodeEntry(key, value, leftMs, this.#options.maxEntryBytes);
    if (decoded === undefined) return undefined;
    if (!this.#purges.isInStep(latest)) await this.#catchUpInTime();
    // The first catch-up may have joined a read that began too early.
    if (!this.#purges.hasSeen(latest)) await this.#catchUpInTime();
    if (!this.#purges.hasBeen(decoded.version)) await this.#catchUpInTime();
    if (!this.#purges.hasSeen(latest)) return undefined;
    if (!this.#purges.hasBeen(decoded.version)) {
      // Redis has lost its purge, or it is forged: pages that can be used would not replace it.
      await this.delete(key);
      return undefined;
    }
    const state = this.#purges.stateOf(decoded.entry, decoded.version);
    return state === 'gone' ? undefined : { entry: decoded.entry, isPurged: state === 'stale' };
  }

  async set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void> {
    const lifetimeMs = Math.min(Math.ceil(seconds * 1000), MAX_ENTRY_MS);
    if (!(lifetimeMs > 0)) return;
    const { maxEntryBytes, maxPagesPerPath } = this.#options;
    const page = this.#keys.page(key);
    // Its process may keep a page in memory for longer, or although it is too large to share.
    const note = (): Promise<void> =>
      'path' in entry ? this.#notePath(entry.path, Math.ceil(seconds * 1000)) : Promise.resolve();
    // Encoding costs time.
    if (!this.#connection.takesCommands(page)) return note();
    const value = encodeEntry(key, entry, version, lifetimeMs, maxEntryBytes);
    if (value === undefined) return note();
    const pagesOfPath = this.#keys.pagesOfPath(key);
    const keys = [page, ...(pagesOfPath === undefined ? [] : [pagesOfPath])];
    const known = this.#purges.newest;
    const stored = this.#ask('set', page, ({ client }) =>
      client.setUnlessNewer(keys, value, lifetimeMs, maxPagesPerPath, known),
    );
    const [dropped = []] = await Promise.all([stored, note()]);
    if (dropped.length > 0) await this.#ask('delete', page, ({ client }) => client.unlink(dropped));
  }

  async delete(key: string): Promise<void> {
    const page = this.#keys.page(key);
    await this.#ask('delete', page, ({ client }) => client.unlink(page));
  }

  async purge(purge: Purge): Promise<void> {
    await this.#send(this.#purges.add(purge));
  }

  async #send(sent: SentPurge): Promise<void> {
    const send = ({ lasting }: Commands): Promise<void> => this.#purges.send(lasting, sent);
    try {
      await this.#connection.run(this.#keys.latestPurge, send, this.#purgeTimeoutMs);
    } catch (cause) {
      this.#unsent.set(sent[0], sent);
      throw this.#unconfirmed(cause);
    }
  }

  async invalidate(path: string): Promise<void> {
    // While Redis is away all wait to be sent, and clients can cause any number of them.
    if (this.#purges.unconfirmedCount >= MOST_INVALIDATIONS) throw this.#unconfirmed();
    const sent = this.#purges.add({ path, hard: true });
    return this.#invalidations.add(path, sent);
  }

  async #invalidate(path: string, sent: SentPurge): Promise<void> {
    const pathKey = this.#keys.path(path);
    // TOUCH counts as a use, so that a Redis which evicts keeps the note as it keeps pages.
    const touch = ({ client }: Commands): Promise<number> => client.touch(pathKey);
    const found = await this.#connection
      .run(pathKey, touch, this.#purgeTimeoutMs)
      .catch(() => undefined);
    if (found === 0) this.#purges.withdraw(sent);
    else await this.#send(sent);
  }

  async #notePath(path: string, lifetimeMs: number): Promise<void> {
    const noteMs = Math.min(lifetimeMs, MOST_NOTE_MS);
    const pathKey = this.#keys.path(path);
    const note = ({ client }: Commands): Promise<true> =>
      client.notePath(pathKey, noteMs).then(() => true);
    if (!(await this.#ask('note', pathKey, note))) this.#unnoted.add(path);
  }

  #unconfirmed(cause?: unknown): SsrError {
    const message = `${this.#name} did not confirm a purge: other processes may still serve the purged pages`;
    return new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause });
  }

  async lease(key: string, path: string): ReturnType<PageStore['lease']> {
    const { leaseMs } = this.#options;
    const noteMs = Math.max(leaseMs, LEAST_NOTE_MS);
    const leaseKey = this.#keys.lease(key);
    const token = randomUUID();
    let isLate = false;
    const pathKey = this.#keys.path(path);
    const isTogether = !this.#connection.hasSlots || slotOf(pathKey) === slotOf(leaseKey);
    const keys = isTogether ? ([leaseKey, pathKey] as const) : ([leaseKey] as const);
    const noted = isTogether ? undefined : this.#notePath(path, noteMs);
    const reply = await this.#ask('lease', leaseKey, async ({ client }) => {
      const lifetimeMs = Math.min(leaseMs, LIFE_SIGN_MS);
      const said = await client.takeLease(keys, token, lifetimeMs, LIFE_SIGN_MS, noteMs);
      // A lease that comes too late is released: other processes would wait for nothing.
      if (said === 'granted' && isLate) client.releaseLease(leaseKey, token, 0).catch(ignore);
      return said;
    });
    await noted;
    isLate = reply === undefined;
    if (reply !== 'granted') return reply;
    return new HeldLease({
      leaseMs,
      renew: async (lifetimeMs) => {
        await this.#ask('renew', leaseKey, ({ client }) =>
          client.renewLease(leaseKey, token, lifetimeMs),
        );
      },
      release: async (unsharedMs = 0) => {
        const lifetimeMs = Math.min(Math.ceil(unsharedMs), MAX_UNSHARED_MS);
        await this.#ask('release', leaseKey, ({ client }) =>
          client.releaseLease(leaseKey, token, lifetimeMs),
        );
      },
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#checkTimer);
    await this.#connection.close(this.#options.timeoutMs);
  }

  /** Sends a command; returns undefined if it fails. Refusals and outages are reported once. */
  async #ask<T>(
    name: string,
    key: string,
    command: (commands: Commands) => Promise<T>,
    timeoutMs = this.#options.timeoutMs,
  ): Promise<T | undefined> {
    try {
      return await this.#connection.run(key, command, timeoutMs);
    } catch (error) {
      if (error instanceof ErrorReply && !this.#connection.isTransient(error)) {
        this.#refuse(name, error);
      }
      return undefined;
    }
  }

  /** A page of a render that begins before the purges are read is not shared: they may apply to it. */
  async #untilRead(reached: Promise<void>): Promise<void> {
    await within(reached, this.#options.timeoutMs).catch(ignore);
    if (this.version() === 0) await this.#catchUpInTime();
  }

  async #catchUpInTime(): Promise<void> {
    await within(this.#catchUp(), this.#options.timeoutMs).catch(ignore);
  }

  #catchUp(): Promise<void> {
    return this.#ask(
      'purges',
      this.#keys.latestPurge,
      ({ client }) => this.#purges.read(client),
      this.#purgeTimeoutMs,
    );
  }

  /** Checks whether Redis has purges whose messages did not arrive. */
  async #check(): Promise<void> {
    if (performance.now() >= this.#retryAtMs) void this.#sendPurges();
    const { latestPurge } = this.#keys;
    const latest = await this.#ask('check', latestPurge, ({ client }) =>
      this.#purges.latest(client),
    );
    if (latest !== undefined && !this.#purges.isInStep(latest)) await this.#catchUp();
  }

  /** Resends purges that Redis has not confirmed, until one fails. */
  async #sendPurges(): Promise<void> {
    if (this.#isRetrying || this.#unsent.size === 0) return;
    this.#isRetrying = true;
    let isConfirmed = true;
    for (const [target, unconfirmed] of this.#unsent) {
      const send = async ({ lasting }: Commands): Promise<true> => {
        await this.#purges.send(lasting, unconfirmed);
        return true;
      };
      const { latestPurge } = this.#keys;
      isConfirmed = (await this.#ask('purge', latestPurge, send, this.#purgeTimeoutMs)) === true;
      if (!isConfirmed) break;
      if (this.#unsent.get(target) === unconfirmed) this.#unsent.delete(target);
    }
    this.#retryDelayMs = isConfirmed ? 0 : Math.min(this.#retryDelayMs * 2 + 500, LONGEST_RETRY_MS);
    this.#retryAtMs = performance.now() + this.#retryDelayMs;
    this.#isRetrying = false;
  }

  #refuse(name: string, error: unknown): void {
    if (this.#refusals.isFirst()) this.#report(`rejects the command "${name}"`, error);
  }

  #report(what: string, reason?: unknown): void {
    const cause = withoutArguments(reason);
    this.#onError(new SsrError('NG_SSR_STORE_UNAVAILABLE', `${this.#name} ${what}`, { cause }));
  }

  get #name(): string {
    return describeServers(this.#options);
  }
}

function ignore(): void {}
