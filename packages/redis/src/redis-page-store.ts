import { randomUUID } from 'node:crypto';
import { type PageStore, type Purge, SsrError, type StoredEntry } from '@ng-ssr/core';
import {
  decodeEntry,
  encodeEntry,
  HeldLease,
  Invalidations,
  LIFE_SIGN_MS,
  MAX_ENTRY_MS,
  MAX_UNSHARED_MS,
  within,
} from '@ng-ssr/core/store';
import { ErrorReply } from '@redis/client';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Client, Connection } from './connection.ts';
import { Keys } from './keys.ts';
import {
  type RedisPageStoreOptions,
  databaseOf,
  type ResolvedOptions,
  resolveOptions,
  describeServer,
} from './options.ts';
import { Refusals } from './refusals.ts';
import { SharedPurges } from './shared-purges.ts';

// Longer than `timeoutMs`, because no page waits for a purge, and purges must arrive.
const PURGE_TIMEOUT_MS = 1_000;
// The longest time until a purge is seen whose message was lost.
const CHECK_INTERVAL_MS = 1_000;
// The delay doubles each time Redis refuses purges, up to this one.
const LONGEST_RETRY_MS = 30_000;

/**
 * Stored pages that all processes of a build share, in Redis 6.2 or Valkey: for `withSharedStore()`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`.
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
  readonly #options: ResolvedOptions;
  #keys!: Keys;
  #connection!: Connection;
  #breaker!: CircuitBreaker;
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

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  open({ buildId, onPurge, onError }: Parameters<PageStore['open']>[0]): void {
    this.#onError = onError;
    this.#keys = new Keys(this.#options.prefix, buildId, databaseOf(this.#options.url));
    this.#purges = new SharedPurges(this.#keys, {
      onPurge,
      onGap: () => void this.#catchUp(),
      onInvalid: (target) =>
        this.#report(`contains a record that is not a purge and is skipped: ${shown(target)}`),
    });
    this.#connection = new Connection(this.#options, this.#keys.purgeChannel, {
      onReady: () => void this.#breaker.probe(),
      onLost: (error) => this.#breaker.fail(error),
      onSubscribed: () => this.#purges.readAgain(),
      onMessage: (message) => this.#purges.receive(message),
      onRefused: (error) => this.#refuse('subscribe', error),
    });
    this.#breaker = new CircuitBreaker({
      timeoutMs: this.#options.timeoutMs,
      ping: () => this.#connection.ping(),
      onClose: () => {
        this.#purges.readAgain();
        void this.#sendPurges();
      },
      onOutage: (cause) =>
        this.#report(
          'is unreachable: until it responds, each process renders its own pages',
          cause,
        ),
    });
    this.#connection.open();
    this.#checkTimer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  version(): number {
    return this.#purges.version;
  }

  async get(key: string): ReturnType<PageStore['get']> {
    const reply = await this.#ask('get', (client) =>
      Promise.all([
        // Before the entry: an entry stored in between must not seem younger than it is.
        client.pTTL(this.#keys.page(key)),
        this.#readValue(this.#keys.page(key)),
        // After the entry, so that a purge in between is seen.
        this.#purges.latest(client),
      ]),
    );
    if (reply === undefined) return undefined;
    const [leftMs, value, latest] = reply;
    const decoded = decodeEntry(key, value, leftMs);
    if (decoded === undefined) return undefined;
    if (!this.#purges.isInStep(latest)) await this.#catchUpInTime();
    // The first catch-up may have joined a read that began too early.
    if (!this.#purges.hasSeen(latest)) await this.#catchUpInTime();
    if (!this.#purges.hasSeen(latest) || !this.#purges.hasBeen(decoded.version)) return undefined;
    const state = this.#purges.stateOf(decoded.entry, decoded.version);
    return state === 'gone' ? undefined : { entry: decoded.entry, isPurged: state === 'stale' };
  }

  async set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void> {
    const lifetimeMs = Math.min(Math.ceil(seconds * 1000), MAX_ENTRY_MS);
    if (this.#breaker.isOpen || !(lifetimeMs > 0)) return;
    const { maxEntryBytes, maxPagesPerPath } = this.#options;
    const value = encodeEntry(key, entry, version, lifetimeMs, maxEntryBytes);
    // Its process may keep a page in memory for longer, or although it is too large to share.
    const note = (): Promise<void> =>
      'path' in entry ? this.#notePath(entry.path, Math.ceil(seconds * 1000)) : Promise.resolve();
    if (value === undefined) return note();
    const [page, latest] = [this.#keys.page(key), this.#keys.latestPurge];
    const pagesOfPath = this.#keys.pagesOfPath(key);
    const keys = [page, latest, ...(pagesOfPath === undefined ? [] : [pagesOfPath])];
    const stored = this.#ask('set', (client) =>
      client.setUnlessNewer(keys, value, lifetimeMs, maxPagesPerPath),
    );
    await Promise.all([stored, note()]);
  }

  async delete(key: string): Promise<void> {
    await this.#ask('delete', (client) => client.unlink(this.#keys.page(key)));
  }

  async purge(purge: Purge): Promise<void> {
    const { client } = this.#connection;
    const sent = this.#purges.add(purge);
    try {
      await this.#breaker.run(() => this.#purges.send(client, sent), PURGE_TIMEOUT_MS);
    } catch (cause) {
      this.#unsent.set(sent[0], sent);
      throw this.#unconfirmed(cause);
    }
  }

  /** As {@link PageStore.invalidate}. */
  async invalidate(path: string): Promise<void> {
    // While Redis is away all wait to be sent, and clients can cause any number of them.
    if (this.#purges.unconfirmedCount >= MOST_INVALIDATIONS) throw this.#unconfirmed();
    const sent = this.#purges.add({ path, hard: true });
    return this.#invalidations.add(path, sent);
  }

  async #invalidate(path: string, sent: SentPurge): Promise<void> {
    const { client } = this.#connection;
    const pathKey = this.#keys.path(path);
    try {
      await this.#breaker.run(() => this.#purges.send(client, sent, pathKey), PURGE_TIMEOUT_MS);
    } catch (cause) {
      this.#unsent.set(sent[0], sent);
      throw this.#unconfirmed(cause);
    }
  }

  async #notePath(path: string, lifetimeMs: number): Promise<void> {
    const noteMs = Math.min(lifetimeMs, MOST_NOTE_MS);
    await this.#ask('note', (client) => client.notePath(this.#keys.path(path), noteMs));
  }

  #unconfirmed(cause?: unknown): SsrError {
    const message = `${this.#name} did not confirm a purge: other processes may still serve the purged pages`;
    return new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause });
  }

  async lease(key: string, path: string): ReturnType<PageStore['lease']> {
    const { leaseMs } = this.#options;
    const leaseKey = this.#keys.lease(key);
    const token = randomUUID();
    let isLate = false;
    const reply = await this.#ask('lease', async (client) => {
      const lifetimeMs = Math.min(leaseMs, LIFE_SIGN_MS);
      const keys = [leaseKey, this.#keys.path(path)] as const;
      const said = await client.takeLease(keys, token, lifetimeMs, LIFE_SIGN_MS, leaseMs);
      // A lease that comes too late is released: other processes would wait for nothing.
      if (said === 'granted' && isLate) client.releaseLease(leaseKey, token, 0).catch(ignore);
      return said;
    });
    isLate = reply === undefined;
    if (reply !== 'granted') return reply;
    return new HeldLease({
      leaseMs,
      renew: async (lifetimeMs) => {
        await this.#ask('renew', (client) => client.renewLease(leaseKey, token, lifetimeMs));
      },
      release: async (unsharedMs = 0) => {
        const lifetimeMs = Math.min(Math.ceil(unsharedMs), MAX_UNSHARED_MS);
        await this.#ask('release', (client) => client.releaseLease(leaseKey, token, lifetimeMs));
      },
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#checkTimer);
    this.#breaker.end();
    await this.#connection.close(this.#options.timeoutMs);
  }

  /** The value of a key, up to the size of an entry: another program may have written the key. */
  async #readValue(pageKey: string): Promise<Buffer> {
    try {
      const value = await this.#connection.bytes.getRange(pageKey, 0, this.#options.maxEntryBytes);
      return value ?? NO_VALUE;
    } catch (error) {
      if (error instanceof ErrorReply && error.message.startsWith('WRONGTYPE')) return NO_VALUE;
      throw error;
    }
  }

  /** Sends a command; returns undefined if it fails. Refusals and outages are reported once. */
  async #ask<T>(
    name: string,
    command: (client: Client) => Promise<T>,
    timeoutMs = this.#options.timeoutMs,
  ): Promise<T | undefined> {
    try {
      return await this.#breaker.run(() => command(this.#connection.client), timeoutMs);
    } catch (error) {
      if (error instanceof ErrorReply) this.#refuse(name, error);
      return undefined;
    }
  }

  async #catchUpInTime(): Promise<void> {
    await within(this.#catchUp(), this.#options.timeoutMs).catch(ignore);
  }

  #catchUp(): Promise<void> {
    return this.#ask('purges', (client) => this.#purges.read(client), PURGE_TIMEOUT_MS);
  }

  /** Checks whether Redis has purges whose messages did not arrive. */
  async #check(): Promise<void> {
    if (performance.now() >= this.#retryAtMs) void this.#sendPurges();
    const latest = await this.#ask('check', (client) => this.#purges.latest(client));
    if (latest !== undefined && !this.#purges.isInStep(latest)) await this.#catchUp();
  }

  /** Resends purges that Redis has not confirmed, until one fails. */
  async #sendPurges(): Promise<void> {
    if (this.#isRetrying || this.#unsent.size === 0) return;
    this.#isRetrying = true;
    let isConfirmed = true;
    for (const [target, unconfirmed] of this.#unsent) {
      const send = async (client: Client): Promise<true> => {
        await this.#purges.send(client, unconfirmed);
        return true;
      };
      isConfirmed = (await this.#ask('purge', send, PURGE_TIMEOUT_MS)) === true;
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
    return describeServer(this.#options.url);
  }
}

const MOST_SHOWN = 100;

function shown(text: string): string {
  return JSON.stringify(text.slice(0, MOST_SHOWN));
}

const NO_VALUE = Buffer.alloc(0);

/** Redis repeats the arguments of an unknown command in its error: for AUTH, the password. */
function withoutArguments(reason: unknown): unknown {
  const [message, repeated] =
    reason instanceof Error ? reason.message.split(', with args ', 2) : [];
  return repeated === undefined ? reason : new ErrorReply(message!);
}

function ignore(): void {}
