import type { RenderTask } from './render-task.ts';
import { BEGUN, WITHDRAWN } from './shared-counters.ts';

/** A thread that has not begun a render for this long is busy without a pause. */
const BLOCKED_AFTER_MS = 200;

/**
 * The renders that were sent to a thread and have not ended. Shared memory says which of them the thread has
 * begun, so that the main thread can withdraw the others while the thread is busy.
 */
export class SentRenders {
  /** Counters that the thread shares, at {@link BEGUN} and {@link WITHDRAWN}. */
  readonly shared: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(8));
  /** By id, in the order they were sent; ids count from 1. */
  readonly #sent = new Map<number, { readonly task: RenderTask; readonly sentAtMs: number }>();
  #lastId = 0;

  get size(): number {
    return this.#sent.size;
  }

  /** The id of the render that is added next. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Whether all renders that the thread has begun are retries. */
  get hasOnlyRetries(): boolean {
    const begun = [...this.#sent].filter(([id]) => id <= this.#begun);
    return begun.length > 0 && begun.every(([, { task }]) => task.isRetry);
  }

  /** Whether a render has not begun for too long: the thread may be in a loop. */
  get isBlocked(): boolean {
    const begun = this.#begun;
    if (begun === this.#lastId) return false;
    for (const [id, { sentAtMs }] of this.#sent) {
      if (id > begun) return performance.now() - sentAtMs > BLOCKED_AFTER_MS;
    }
    return false;
  }

  has(task: RenderTask): boolean {
    for (const sent of this.#sent.values()) if (sent.task === task) return true;
    return false;
  }

  add(task: RenderTask): void {
    this.#sent.set(++this.#lastId, { task, sentAtMs: performance.now() });
  }

  delete(task: RenderTask): void {
    for (const [id, sent] of this.#sent) if (sent.task === task) this.#sent.delete(id);
  }

  /** A render that has not ended. */
  get(id: number): RenderTask | undefined {
    return this.#sent.get(id)?.task;
  }

  /** Removes a render that has ended; undefined for one that has timed out, or was withdrawn. */
  take(id: number): RenderTask | undefined {
    const task = this.#sent.get(id)?.task;
    this.#sent.delete(id);
    return task;
  }

  /** Removes all renders. */
  takeAll(): RenderTask[] {
    const tasks = [...this.#sent.values()].map(({ task }) => task);
    this.#sent.clear();
    return tasks;
  }

  /** Withdraws the renders that the thread has not begun. */
  withdraw(): RenderTask[] {
    const begun = this.#begun;
    Atomics.store(this.shared, WITHDRAWN, this.#lastId);
    const unbegun = [...this.#sent].filter(([id]) => id > begun);
    for (const [id] of unbegun) this.#sent.delete(id);
    return unbegun.map(([, { task }]) => task);
  }

  get #begun(): number {
    return Atomics.load(this.shared, BEGUN);
  }
}
