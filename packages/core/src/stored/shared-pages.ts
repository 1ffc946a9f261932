import { setTimeout as wait } from 'node:timers/promises';
import type { Lease, PageStore, Purge, StoredEntry, StoredPage, Variants } from './page-store.ts';

/** A page of the shared store. */
export interface FoundPage {
  readonly key: string;
  readonly page: StoredPage;
  /** What the key without a variant's values leads to, where the page is a variant. */
  readonly variants: Variants | undefined;
  readonly isPurged: boolean;
}

/** A page that another process renders is asked for so often, and so long. */
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 200;
const MOST_WAIT_MS = 10_000;

/** Statuses that anybody can cause for any number of paths: they stay in one process. */
const UNSHARED_STATUSES = new Set([404, 410]);

/** The pages of the other processes. */
export class SharedPages {
  readonly #store: PageStore;

  constructor(store: PageStore, context: Parameters<PageStore['open']>[0]) {
    this.#store = store;
    store.open(context);
  }

  /** The latest purge known, for a render that begins now. */
  version(): number {
    return this.#store.version();
  }

  /**
   * A page that may be used, or the right to render it: a process that has neither waits for the one
   * that renders, and goes on without the right when that takes too long or the store is away.
   *
   * @param isRefresh - Whether only a fresh page will do.
   */
  async obtain(
    key: string,
    isRefresh: boolean,
    variantKeyOf: (names: readonly string[]) => string,
  ): Promise<{ readonly found?: FoundPage; readonly lease?: Lease }> {
    const deadline = Date.now() + MOST_WAIT_MS;
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
      const found = await this.#find(key, variantKeyOf);
      if (found !== undefined && isUsable(found, isRefresh)) return { found };
      const lease = await this.#store.lease(key);
      if (lease === undefined) return {};
      if (lease !== 'taken') {
        if (pollMs === FIRST_POLL_MS) return { lease };
        // It may have been stored between the look and the lease.
        const stored = await this.#find(key, variantKeyOf);
        if (stored === undefined || !isUsable(stored, isRefresh)) return { lease };
        await lease.release();
        return { found: stored };
      }
      if (Date.now() > deadline) return {};
      await wait(pollMs);
    }
  }

  /** Never rejects. */
  async set(
    primary: string,
    key: string,
    page: StoredPage,
    vary: readonly string[],
    version: number,
  ): Promise<void> {
    if (UNSHARED_STATUSES.has(page.status)) return;
    const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = page;
    const seconds = freshSeconds + Math.max(staleWhileRevalidateSeconds, staleIfErrorSeconds);
    await this.#store.set(key, page, version, seconds);
    if (vary.length > 0) await this.#store.set(primary, { vary }, version, seconds);
  }

  delete(key: string): Promise<void> {
    return this.#store.delete(key);
  }

  purge(purge: Purge): Promise<void> {
    return this.#store.purge(purge);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #find(
    key: string,
    variantKeyOf: (names: readonly string[]) => string,
  ): Promise<FoundPage | undefined> {
    const first = await this.#store.get(key);
    if (first === undefined) return undefined;
    const { entry } = first;
    if (isPage(entry)) return { key, page: entry, variants: undefined, isPurged: first.isPurged };
    const variantKey = variantKeyOf(entry.vary);
    const second = await this.#store.get(variantKey);
    if (second === undefined || !isPage(second.entry)) return undefined;
    return { key: variantKey, page: second.entry, variants: entry, isPurged: second.isPurged };
  }
}

function isPage(entry: StoredEntry): entry is StoredPage {
  return 'body' in entry;
}

function isUsable({ page, isPurged }: FoundPage, isRefresh: boolean): boolean {
  const age = (Date.now() - page.dateMs) / 1000;
  if (age < page.freshSeconds && !isPurged) return true;
  if (isRefresh) return false;
  const staleSeconds = Math.max(0, age - page.freshSeconds);
  return staleSeconds < page.staleWhileRevalidateSeconds;
}
