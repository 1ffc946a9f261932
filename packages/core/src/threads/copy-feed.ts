import type { HeldPage } from '../pages/memory/held-page.ts';
import type { MemoryObserver } from '../pages/memory/page-memory.ts';
import type { Variants } from '../pages/store/page-store.ts';
import type { Purge } from '../purge.ts';
import { toCommonMs } from './common-clock.ts';
import { ASKED, type ToServerThread } from './messages.ts';
import { toPlainEntry } from './plain-page.ts';
import type { ThreadLink } from './thread-link.ts';

/**
 * By how much this thread's own purges raise the number of purges. A thread sends a purge and then counts it: one that
 * is interrupted, or ends, in between must not hide another.
 */
const OWN_PURGE = 2;

/** Keeps the copies of pages in server threads up to date. */
export class CopyFeed implements MemoryObserver {
  /** The number of purges that have been asked for is in it. */
  readonly shared: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));
  /** The number of purges that were passed on. */
  told = 0;
  readonly #links: ReadonlySet<ThreadLink>;

  constructor(links: ReadonlySet<ThreadLink>) {
    this.#links = links;
  }

  /** To all threads. */
  post(message: ToServerThread): void {
    for (const link of this.#links) link.post(message);
  }

  /** Says that purges were passed on. */
  tell(count = 1): void {
    this.told = (this.told + count) | 0;
    this.post({ kind: 'told', told: this.told });
  }

  catchUp(): boolean {
    // The number may pass 2^31.
    const isBehind = ((Atomics.load(this.shared, ASKED) - this.told) | 0) > 0;
    if (isBehind) for (const link of this.#links) link.drain();
    return true;
  }

  stored(key: string, entry: HeldPage | Variants): void {
    this.post({ kind: 'stored', key, entry: toPlainEntry(entry) });
  }

  dropped(key: string): void {
    this.post({ kind: 'dropped', key });
  }

  refreshed(key: string, { isRefreshing, retryAtMs }: HeldPage): void {
    this.post({ kind: 'refreshed', key, isRefreshing, retryAtMs: toCommonMs(retryAtMs) });
  }

  purged(purge: Purge): void {
    this.post({ kind: 'purged', purge });
    this.tell(OWN_PURGE);
    Atomics.add(this.shared, ASKED, OWN_PURGE);
  }
}
