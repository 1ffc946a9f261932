import { AsyncLocalStorage } from 'node:async_hooks';
import { withinDeadline } from '../../timers.ts';
import type { Edge } from './edge.ts';

/** For an edge that neither confirms nor rejects. */
const MOST_PURGE_MS = 600_000;

interface Batch {
  readonly hard: Set<string>;
  readonly soft: Set<string>;
  /** Settled with the batch. */
  readonly sent: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** Sends purges to an edge one after the other: those that come meanwhile are sent together. */
export class EdgeQueue {
  readonly #edge: Edge;
  readonly #onSent: (tags: number, durationMs: number, cause: unknown) => void;
  /** A purge is of no request, and of no page that renders. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #next: Batch | undefined;
  #isSending = false;

  constructor(edge: Edge, onSent: (tags: number, durationMs: number, cause: unknown) => void) {
    this.#edge = edge;
    this.#onSent = onSent;
  }

  get length(): number {
    return (this.#next?.hard.size ?? 0) + (this.#next?.soft.size ?? 0);
  }

  /** Rejects as {@link Edge.purge}. */
  send(tag: string, isSoft: boolean): Promise<void> {
    const batch = (this.#next ??= newBatch());
    (isSoft ? batch.soft : batch.hard).add(tag);
    if (!this.#isSending) {
      this.#isSending = true;
      // Purges of one turn of the event loop are one batch.
      this.#runAtStart(() => queueMicrotask(() => void this.#run()));
    }
    return batch.sent;
  }

  async #run(): Promise<void> {
    for (let batch = this.#take(); batch !== undefined; batch = this.#take()) {
      const { hard, soft } = batch;
      const softOnly = [...soft].filter((tag) => !hard.has(tag));
      const sinceMs = performance.now();
      let cause: unknown;
      try {
        if (hard.size > 0) await this.#purge([...hard], false);
        if (softOnly.length > 0) await this.#purge(softOnly, true);
        batch.resolve();
      } catch (error) {
        cause = error;
        batch.reject(error);
      }
      this.#onSent(hard.size + softOnly.length, performance.now() - sinceMs, cause);
    }
    this.#isSending = false;
  }

  #take(): Batch | undefined {
    const batch = this.#next;
    this.#next = undefined;
    return batch;
  }

  #purge(tags: readonly string[], isSoft: boolean): Promise<void> {
    const purged = Promise.resolve().then(() => this.#edge.purge(tags, isSoft));
    return withinDeadline(purged, MOST_PURGE_MS, `the purge at ${this.#edge.name}`);
  }
}

function newBatch(): Batch {
  let resolve!: () => void;
  let reject!: (cause: unknown) => void;
  const sent = new Promise<void>((onSent, onFailed) => {
    resolve = onSent;
    reject = onFailed;
  });
  return { hard: new Set(), soft: new Set(), sent, resolve, reject };
}
