import { randomUUID } from 'node:crypto';
import { type PageStore, type Purge, SsrError, type StoredEntry } from '@ng-ssr/core';
import {
  decodeEntry,
  digestOf,
  encodeEntry,
  HeldLease,
  Invalidations,
  LEAST_NOTE_MS,
  LIFE_SIGN_MS,
  MAX_ENTRY_MS,
  MAX_UNSHARED_MS,
  pathOfKey,
  timeLimit,
} from '@ng-ssr/core/store';
import { type Bounds, boundsOf, PAGE_BYTES } from './bounds.ts';
import { FileAccess } from './file-access.ts';
import { Housekeeping } from './housekeeping.ts';
import {
  deleteEntry,
  notePath,
  pagesOf,
  readEntry,
  readPurges,
  releaseLease,
  renewLease,
  storeEntry,
  storePurge,
  takeLease,
  UNSHARED,
} from './jobs.ts';
import { KnownPurges, type SentPurge } from './known-purges.ts';
import {
  assertSqlite,
  type ResolvedOptions,
  resolveOptions,
  type SqlitePageStoreOptions,
} from './options.ts';
import { type JobResult, SqlThread } from './sql-thread.ts';
import { APPLICATION_ID, TABLES, TABLES_VERSION } from './tables.ts';
import type { Job, Step } from './thread-program.ts';

/** The longest time until the memory of a process learns of a purge in another one. */
const POLL_MS = 100;
const POLLS_PER_TICK = 10;
// Longer than `timeoutMs`, because no page waits for a purge, and purges must arrive.
const PURGE_TIMEOUT_MS = 2_000;
// The delay doubles each time a purge does not reach the file, up to this one.
const LONGEST_RETRY_MS = 30_000;
// The most invalidations kept while the file cannot be written.
const MOST_INVALIDATIONS = 1_000;
// Longer than any process runs.
const MOST_NOTE_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/**
 * A store for `withSharedStore()`: all processes of a machine share cached pages in a file, which survives restarts. It
 * needs Node 22.13 or later, and opens the file when the server starts. If the file cannot be used, each process caches
 * its own pages, and `onError` gets `NG_SSR_STORE_UNAVAILABLE` once per outage; purges then reject with this code.
 *
 * @param options - Times in milliseconds, sizes in bytes.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`; `NG_SSR_STORE_UNAVAILABLE` on a runtime without
 * node:sqlite.
 * @example
 * ```ts
 * features: [withSharedStore(sqlitePageStore({ file: '/var/lib/shop/pages.db', maxBytes: 256 * 1024 * 1024 }))]
 * ```
 */
export function sqlitePageStore(options: SqlitePageStoreOptions): PageStore {
  const resolved = resolveOptions(options);
  assertSqlite();
  return new SqlitePageStore(resolved);
}

class SqlitePageStore implements PageStore {
  #options: ResolvedOptions;
  readonly #bounds: Bounds;
  #buildId!: string;
  #access!: FileAccess;
  #purges!: KnownPurges;
  #housekeeping!: Housekeeping;
  readonly #invalidations: Invalidations<SentPurge>;
  #pollTimer: NodeJS.Timeout | undefined;
  #polls = 0;
  #isPolling = false;
  #isResending = false;
  /** Purges that have not reached the file, by target; those in flight are not among them. */
  readonly #unsent = new Map<string, SentPurge>();
  #retryDelayMs = 0;
  #retryAtMs = 0;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#bounds = boundsOf(options.maxBytes, options.maxEntryBytes);
    this.#invalidations = new Invalidations((path, sent) => this.#send(sent, digestOf(path)));
  }

  open({ buildId, onPurge, onError, isFilling }: Parameters<PageStore['open']>[0]): void {
    const timeoutMs = timeLimit(this.#options.timeoutMs, isFilling);
    this.#options = { ...this.#options, timeoutMs };
    const { file } = this.#options;
    const { maxLogBytes, maxPages } = this.#bounds;
    const thread = new SqlThread({
      file,
      applicationId: APPLICATION_ID,
      tablesVersion: TABLES_VERSION,
      tables: TABLES,
      maxLogBytes,
      pragmas: [
        'PRAGMA synchronous = NORMAL',
        `PRAGMA wal_autocheckpoint = ${Math.floor(maxLogBytes / 2 / PAGE_BYTES)}`,
        `PRAGMA journal_size_limit = ${maxLogBytes}`,
        `PRAGMA max_page_count = ${maxPages}`,
        'PRAGMA cell_size_check = ON',
        'PRAGMA trusted_schema = OFF',
      ],
    });
    this.#buildId = buildId;
    this.#purges = new KnownPurges(onPurge);
    this.#access = new FileAccess(thread, file, onError);
    this.#housekeeping = new Housekeeping(this.#bounds, buildId, (job) =>
      this.#try(job, PURGE_TIMEOUT_MS),
    );
    this.#pollTimer = setInterval(() => void this.#poll(), POLL_MS).unref();
    void this.#poll();
  }

  version(): number {
    return this.#purges.version;
  }

  async get(key: string): ReturnType<PageStore['get']> {
    const [nowMs, from] = [Date.now(), this.#purges.seen];
    const { maxEntryBytes } = this.#options;
    const result = await this.#try(readEntry(this.#keyOf(key), from, nowMs, maxEntryBytes));
    if (result === undefined) return undefined;
    const [entries, ...purges] = result.rows;
    const { id, expires, used, value } = entries?.[0] ?? {};
    if (!this.#learn(result.fileId, from, purges) || !(value instanceof Uint8Array))
      return undefined;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const decoded = await decodeEntry(key, bytes, Number(expires) - nowMs, maxEntryBytes);
    // A higher version than that of the latest purge is not genuine.
    if (decoded === undefined || decoded.version > this.#purges.seen) return undefined;
    const state = this.#purges.stateOf(decoded.entry, decoded.version);
    if (state === 'gone') return undefined;
    this.#housekeeping.used(Number(id), Number(used));
    return { entry: decoded.entry, isPurged: state === 'stale' };
  }

  async set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void> {
    const lifetimeMs = Math.min(Math.ceil(seconds * 1000), MAX_ENTRY_MS);
    const inFile = this.#purges.inFile(version);
    if (!(lifetimeMs > 0) || inFile === undefined) return;
    const nowMs = Date.now();
    const { maxEntryBytes, maxPagesPerPath } = this.#options;
    const value = encodeEntry(key, entry, inFile.version, lifetimeMs, maxEntryBytes);
    // Its process may keep a page in memory for longer, or although it is too large to share.
    const noteMs = Math.min(Math.ceil(seconds * 1000), MOST_NOTE_MS);
    const notes: Step[] = 'path' in entry ? [notePath(digestOf(entry.path), nowMs + noteMs)] : [];
    if (value === undefined) {
      if (notes.length > 0) await this.#try({ kind: 'write', steps: notes });
      return;
    }
    const path = pathOfKey(key);
    const newEntry = {
      ...{ key: this.#keyOf(key), build: this.#buildId, ...inFile, value },
      pathOfKey: path === undefined ? null : this.#keyOf(path),
      bornAtMs: 'dateMs' in entry ? Math.min(nowMs, Math.round(entry.dateMs)) : nowMs,
      storedAtMs: nowMs,
      expiresAtMs: nowMs + lifetimeMs,
    };
    const { kind, steps } = storeEntry(newEntry, this.#bounds, maxPagesPerPath);
    const result = await this.#try({ kind, steps: [...notes, ...steps] });
    const usedPages = result?.rows.at(-1)?.[0]?.['used'];
    if (usedPages !== undefined) this.#housekeeping.measured(Number(usedPages), pagesOf(value));
  }

  async delete(key: string): Promise<void> {
    await this.#try(deleteEntry(this.#keyOf(key)));
  }

  purge(purge: Purge): Promise<void> {
    return this.#send(this.#purges.add(purge));
  }

  /** As {@link PageStore.invalidate}. */
  async invalidate(path: string): Promise<void> {
    // While the file cannot be written all wait to be sent, and clients can cause any number of them.
    if (this.#purges.unconfirmedCount >= MOST_INVALIDATIONS) throw this.#unconfirmed();
    return this.#invalidations.add(path, this.#purges.add({ path, hard: true }));
  }

  async lease(key: string, path: string): ReturnType<PageStore['lease']> {
    const { leaseMs } = this.#options;
    const [leaseKey, pathKey, token] = [this.#keyOf(key), digestOf(path), randomUUID()];
    const lifetimeMs = Math.min(leaseMs, LIFE_SIGN_MS);
    const noteMs = Math.max(leaseMs, LEAST_NOTE_MS);
    const job = takeLease(leaseKey, token, Date.now(), lifetimeMs, pathKey, noteMs);
    const result = await this.#try(job);
    // One that is granted too late is not renewed, and others wait for it for two seconds at most.
    if (result === undefined) return undefined;
    const holder = result.rows.at(-1)?.[0]?.['token'];
    if (holder !== token) return holder === UNSHARED ? 'unshared' : 'taken';
    return new HeldLease({
      leaseMs,
      renew: async (renewedMs) => {
        await this.#try(renewLease(leaseKey, token, Date.now() + renewedMs));
      },
      release: async (unsharedMs = 0) => {
        const markedMs = Math.min(Math.ceil(unsharedMs), MAX_UNSHARED_MS);
        const untilMs = markedMs > 0 ? Date.now() + markedMs : undefined;
        await this.#try(releaseLease(leaseKey, token, untilMs));
      },
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#pollTimer);
    await this.#access.end(PURGE_TIMEOUT_MS);
  }

  /** The name of a key of this build. */
  #keyOf(key: string): string {
    return digestOf(`${this.#buildId}\n${key}`);
  }

  /** Does a job; undefined if that fails, which is reported once. */
  async #try(job: Job, timeoutMs = this.#options.timeoutMs): Promise<JobResult | undefined> {
    try {
      return await this.#access.run(job, timeoutMs);
    } catch {
      return undefined;
    }
  }

  /** @param rows - The purges after `from`, and the version of the latest. */
  #learn(fileId: string, from: number, rows: JobResult['rows']): boolean {
    const [purges = [], latest = []] = rows;
    return this.#purges.learn(fileId, from, latest[0]?.['version'], purges);
  }

  /**
   * Brings a purge to the file.
   *
   * @param path - Without pages of this path nothing is done.
   */
  async #send(sent: SentPurge, path?: string): Promise<void> {
    const from = this.#purges.seen;
    const latest = this.#purges.latestOf(sent);
    try {
      const job = storePurge(sent[0], this.#purges.sender, from, path);
      const { fileId, rows } = await this.#access.run(job, PURGE_TIMEOUT_MS);
      this.#learn(fileId, from, rows.slice(-2));
    } catch (cause) {
      this.#unsent.set(sent[0], sent);
      throw this.#unconfirmed(cause);
    }
    this.#purges.confirm(latest);
  }

  #unconfirmed(cause?: unknown): SsrError {
    const message = `the page store ${this.#options.file} did not confirm a purge: other processes may still serve the purged pages`;
    return new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause });
  }

  /** Looks for purges of other processes. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const from = this.#purges.seen;
    const result = await this.#try(readPurges(from), PURGE_TIMEOUT_MS);
    if (result !== undefined) this.#learn(result.fileId, from, result.rows);
    if (this.#unsent.size > 0 && performance.now() >= this.#retryAtMs) void this.#sendAgain();
    if (result !== undefined && this.#polls++ % POLLS_PER_TICK === 0)
      await this.#housekeeping.tick();
    this.#isPolling = false;
  }

  /** Sends purges again that have not reached the file, until one fails. */
  async #sendAgain(): Promise<void> {
    if (this.#isResending) return;
    this.#isResending = true;
    let isSent = true;
    for (const [target, sent] of this.#unsent) {
      isSent = await this.#send(sent).then(
        () => true,
        () => false,
      );
      if (!isSent) break;
      if (this.#unsent.get(target) === sent) this.#unsent.delete(target);
    }
    this.#retryDelayMs = isSent ? 0 : Math.min(this.#retryDelayMs * 2 + 500, LONGEST_RETRY_MS);
    this.#retryAtMs = performance.now() + this.#retryDelayMs;
    this.#isResending = false;
  }
}
