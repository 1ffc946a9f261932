import type { CachedPage } from '../../pages/memory/cached-page.ts';
import type { MemoryObserver } from '../../pages/memory/memory-store.ts';
import type { Variants } from '../../pages/stored-page.ts';
import type { Purge } from '../../purge.ts';
import { toCommonMs } from './common-clock.ts';
import type { ToServerThread } from './messages.ts';
import { isBehind } from './purge-counters.ts';
import { toWireEntry } from './wire-page.ts';
import type { ThreadLink } from './thread-link.ts';

/** The counter of the main thread. */
const OWN = 0;

/** Keeps the copies of pages in server threads up to date. */
export class CopyFeed implements MemoryObserver {
  /**
   * How many purges each thread has asked for. A thread sends a purge and then counts it: with one counter for all, a
   * thread that is interrupted or ends in between would hide the purge of another.
   */
  readonly asked: Int32Array<SharedArrayBuffer>;
  /** How many of them were passed on. */
  readonly told: Int32Array;
  readonly #links: ReadonlySet<ThreadLink>;

  /** @param count - Of the threads beside this one. */
  constructor(links: ReadonlySet<ThreadLink>, count: number) {
    this.#links = links;
    this.asked = new Int32Array(new SharedArrayBuffer(4 * (count + 1)));
    this.told = new Int32Array(count + 1);
  }

  /** To all threads. */
  post(message: ToServerThread): void {
    for (const link of this.#links) link.post(message);
  }

  /** Says that a purge of one thread was passed on. */
  tell(counter: number): void {
    this.told[counter]!++;
    this.post({ kind: 'told', counter, told: this.told[counter]! });
  }

  /** To be called when a thread has ended, and what it sent was read: it may have sent a purge that it did not count. */
  settle(counter: number): void {
    Atomics.store(this.asked, counter, this.told[counter]!);
  }

  catchUp(): boolean {
    if (isBehind(this.asked, this.told)) for (const link of this.#links) link.drain();
    return true;
  }

  stored(key: string, entry: CachedPage | Variants): void {
    this.post({ kind: 'stored', key, entry: toWireEntry(entry) });
  }

  dropped(key: string): void {
    this.post({ kind: 'dropped', key });
  }

  refreshed(key: string, { isRefreshing, retryAtMs }: CachedPage): void {
    this.post({ kind: 'refreshed', key, isRefreshing, retryAtMs: toCommonMs(retryAtMs) });
  }

  purged(purge: Purge): void {
    this.post({ kind: 'purged', purge });
    this.tell(OWN);
    Atomics.add(this.asked, OWN, 1);
  }
}
