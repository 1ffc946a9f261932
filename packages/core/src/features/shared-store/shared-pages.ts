import { SsrError } from '../../errors.ts';
import { OutageReport } from '../../outage-report.ts';
import { isLeftAlone } from '../../platform/is-promise.ts';
import { timeLimit, wait, withinDeadline } from '../../timers.ts';
import { checkPurge } from '../../pages/check-purge.ts';
import type { StoredPage } from '../../pages/stored-page.ts';
import type {
  BirthOf,
  FoundPage,
  Lease,
  Obtained,
  Tier,
  VariantKeyOf,
  Wanted,
} from '../../pages/tier.ts';
import type { Purge } from '../../purge.ts';
import { isStoredPage, isVariants } from './check-entry.ts';
import type { PageStore } from './page-store.ts';
import { within } from './reply-deadline.ts';

/** Poll intervals for a page that another process renders, and the longest wait for it. */
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 200;
const MOST_WAIT_MS = 10_000;

/** Upper bounds for stores without shorter time limits of their own. */
const MOST_ANSWER_MS = 500;
const MOST_PURGE_MS = 5000;
/** After a failure the store is not asked for this time. */
const AWAY_MS = 1000;

/** The most invalidations in flight: with a store that hangs, they would pile up. */
const MOST_INVALIDATIONS = 1000;

/** Statuses that a client can cause for any number of paths: such pages stay in one process. */
const UNSHARED_STATUSES = new Set([404, 410]);

export class SharedPages implements Tier {
  readonly #store: PageStore;
  readonly #answerMs: number;
  #awayUntilMs = 0;
  readonly #outage: OutageReport;
  readonly #unconfirmed: OutageReport;
  #invalidations = 0;

  constructor(store: PageStore, context: Parameters<PageStore['open']>[0]) {
    this.#store = store;
    this.#answerMs = timeLimit(MOST_ANSWER_MS, context.isFilling, 60_000);
    this.#outage = new OutageReport(context.onError);
    this.#unconfirmed = new OutageReport(context.onError);
    const opened: unknown = store.open({
      ...context,
      onPurge: (purge) => {
        checkPurge(purge);
        context.onPurge(purge);
      },
    });
    isLeftAlone(opened, (cause) => this.#miss(cause));
  }

  version(): number | undefined {
    try {
      return this.#store.version();
    } catch (cause) {
      this.#miss(cause);
      return undefined;
    }
  }

  /**
   * A process that gets neither a page nor the right to render it waits for the one that renders, and goes on without
   * the right if that takes too long or the store is away.
   */
  async obtain(
    key: string,
    path: string,
    wanted: Wanted,
    deadlineAtMs: number,
    variantKeyOf: VariantKeyOf,
    birthOf: BirthOf,
  ): Promise<Obtained> {
    const find = async (): Promise<FoundPage | undefined> => {
      const page = wanted === 'new' ? undefined : await this.find(key, variantKeyOf, birthOf);
      return page && isUsable(page, wanted === 'fresh') ? page : undefined;
    };
    const startMs = performance.now();
    // No one waits for a refresh, so its deadline is none of this wait.
    const mostMs = wanted === 'fresh' ? MOST_WAIT_MS : (deadlineAtMs - startMs) / 2;
    const untilMs = startMs + Math.min(MOST_WAIT_MS, mostMs);
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
      const found = await find();
      if (found !== undefined) return { found };
      const lease = await this.#lease(key, path);
      if (lease === undefined) return {};
      if (lease === 'unshared') return { isUnshared: true };
      if (lease !== 'taken') {
        // The page may have been stored between the look-up and the lease.
        const stored = await find();
        if (stored === undefined) return { lease };
        await lease.release();
        return { found: stored };
      }
      if (performance.now() + pollMs > untilMs) return {};
      await wait(pollMs);
    }
  }

  async find(
    key: string,
    variantKeyOf: VariantKeyOf,
    birthOf: BirthOf,
  ): Promise<FoundPage | undefined> {
    const first = await this.#ask(() => this.#store.get(key));
    if (first?.entry === undefined) return undefined;
    const { entry } = first;
    if (isStoredPage(entry)) {
      const { isPurged } = first;
      return { key, page: entry, variants: undefined, isPurged, bornAtMs: birthOf(entry, key) };
    }
    if (!isVariants(entry)) return undefined;
    const variantKey = variantKeyOf(entry.vary);
    const second = await this.#ask(() => this.#store.get(variantKey));
    if (!isStoredPage(second?.entry)) return undefined;
    const { entry: page, isPurged } = second;
    const bornAtMs = birthOf(page, variantKey);
    return { key: variantKey, page, variants: entry, isPurged, bornAtMs };
  }

  takes(status: number): boolean {
    return !UNSHARED_STATUSES.has(status) && performance.now() >= this.#awayUntilMs;
  }

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
    await this.#ask(() => this.#store.set(key, page, version, seconds));
    if (vary.length > 0)
      await this.#ask(() => this.#store.set(primary, { vary }, version, seconds));
  }

  async delete(key: string): Promise<void> {
    await this.#ask(() => this.#store.delete(key));
  }

  async purge(purge: Purge): Promise<void> {
    try {
      await withinDeadline(this.#store.purge(purge), MOST_PURGE_MS, 'the purge');
    } catch (cause) {
      if (cause instanceof SsrError && cause.code === 'NG_SSR_STORE_UNAVAILABLE') throw cause;
      const message =
        'the page store did not confirm a purge: other processes may still serve the purged pages. Purge again';
      throw new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause });
    }
  }

  async invalidate(path: string): Promise<boolean> {
    if (this.#invalidations >= MOST_INVALIDATIONS) {
      this.#reportInvalidation(`${MOST_INVALIDATIONS} invalidations are in flight`);
      return false;
    }
    this.#invalidations++;
    const invalidate = this.#store.invalidate?.bind(this.#store);
    try {
      const done = invalidate?.(path) ?? this.#store.purge({ path, hard: true });
      await withinDeadline(done, MOST_PURGE_MS, 'the purge');
      this.#unconfirmed.succeed();
    } catch (cause) {
      this.#reportInvalidation(cause);
    } finally {
      this.#invalidations--;
    }
    return invalidate === undefined;
  }

  #reportInvalidation(cause: unknown): void {
    const message =
      'the page store did not confirm that a page was removed: other processes may still serve it';
    this.#unconfirmed.fail(new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause }));
  }

  async close(): Promise<void> {
    try {
      await withinDeadline(this.#store.close(), MOST_PURGE_MS, 'closing the page store');
    } catch (cause) {
      this.#miss(cause);
    }
  }

  async #lease(key: string, path: string): Promise<Lease | 'taken' | 'unshared' | undefined> {
    let asked: ReturnType<PageStore['lease']> | undefined;
    const said = await this.#ask(() => (asked = this.#store.lease(key, path)));
    if (said === 'taken' || said === 'unshared') return said;
    if (isLease(said)) return { release: (unsharedMs) => this.#release(said, unsharedMs) };
    // A lease that comes too late is released: other processes would wait for nothing.
    void Promise.resolve(asked).then(
      (late) => void (isLease(late) && this.#release(late)),
      () => undefined,
    );
    return undefined;
  }

  /** Sent even if the store seems to be away, because other processes wait for the lease. */
  async #release(lease: Lease, unsharedMs?: number): Promise<void> {
    try {
      await within(lease.release(unsharedMs), MOST_ANSWER_MS);
    } catch (cause) {
      this.#miss(cause);
    }
  }

  /** The store's reply; undefined if it fails or is too late, and for some time after that. */
  async #ask<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#awayUntilMs) return undefined;
    try {
      const said = await within(ask(), this.#answerMs);
      this.#outage.succeed();
      return said;
    } catch (cause) {
      this.#miss(cause);
      return undefined;
    }
  }

  #miss(cause: unknown): void {
    this.#awayUntilMs = performance.now() + AWAY_MS;
    const message =
      'the page store is unreachable: until it responds, each process renders its own pages';
    this.#outage.fail(new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause }));
  }
}

function isLease(said: unknown): said is Lease {
  return typeof (said as Partial<Lease> | null | undefined)?.release === 'function';
}

function isUsable({ page, isPurged, bornAtMs }: FoundPage, isRefresh: boolean): boolean {
  const age = (performance.now() - bornAtMs) / 1000;
  if (age < page.freshSeconds && !isPurged) return true;
  const staleSeconds = Math.max(0, age - page.freshSeconds);
  return !isRefresh && staleSeconds < page.staleWhileRevalidateSeconds;
}
