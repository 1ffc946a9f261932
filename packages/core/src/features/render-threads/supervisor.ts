import type { EngineSetup } from '../../engine.ts';
import { SsrError } from '../../errors.ts';
import { assertUnchanged, type Entry } from '../../threads/entry.ts';
import { findEntry } from './find-entry.ts';
import { type Ending, RenderWorker } from './render-worker.ts';
import type { ThreadOptions } from './start-thread.ts';

/** Options of a {@link Supervisor}. */
export interface SupervisorOptions {
  /** The number of threads that start at once. */
  readonly threads: number;
  /** Which of the program's handlers this is, from 0 in order of creation. */
  readonly handler: number;
  readonly maxHeapBytes: number;
  /** Undefined leaves the priority of the process. */
  readonly niceness: number | undefined;
  /** A thread is replaced after this many renders. */
  readonly recycleAfter: number;
  /** Called once, when the threads are started. */
  readonly setup: () => EngineSetup;
}

/** Callbacks for the events of a supervisor's threads. */
export interface SupervisorListener {
  /** A thread can take a render, or it is certain that none can. */
  onChange(): void;
  /** A thread that was ready has ended. Called before its successor starts. */
  onEnd(ending: Ending): void;
  onError(error: SsrError): void;
}

/** A slot for one thread: the thread that serves, its successor that is starting, or both. */
interface Slot {
  /** Whether the pool grows by this slot: until its first thread serves, it may be given up. */
  isNew: boolean;
  serving: RenderWorker | undefined;
  starting: RenderWorker | undefined;
  /** Whether the serving thread is to be replaced. */
  isDue: boolean;
  /** Consecutive threads that have ended here without rendering anything. */
  failures: number;
  retry: NodeJS.Timeout | undefined;
}

/** After this many consecutive failed starts, and without a serving thread, no thread can render. */
const MAX_FAILED_STARTS = 3;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 30_000;

/**
 * Starts the render threads and keeps their number: a thread that ends is started again, and one that has
 * rendered enough, or whose heap is nearly full, goes on until its successor is ready.
 */
export class Supervisor {
  /** Resolves when a thread can render, or when it is certain that none can. */
  readonly ready: Promise<void>;
  readonly #options: SupervisorOptions;
  readonly #listener: SupervisorListener;
  readonly #slots: Slot[];
  /** Replaced threads with renders still in flight. */
  readonly #draining = new Set<RenderWorker>();
  #setReady!: () => void;
  #entry: Entry | undefined;
  #threadOptions: ThreadOptions | undefined;
  #failedStarts = 0;
  #hasGrowthFailed = false;
  #hasServed = false;
  #isAbandoned = false;
  #isStopped = false;

  constructor(options: SupervisorOptions, listener: SupervisorListener) {
    this.#options = options;
    this.#listener = listener;
    this.#slots = Array.from({ length: options.threads }, () => toSlot(false));
    this.ready = new Promise((resolve) => (this.#setReady = resolve));
  }

  /** The threads that take renders. */
  get serving(): RenderWorker[] {
    return this.#slots.flatMap(({ serving }) => serving ?? []);
  }

  /** All threads: those that serve, start, or end after their last renders. */
  get threads(): RenderWorker[] {
    const starting = this.#slots.flatMap((slot) => slot.starting ?? []);
    return [...this.serving, ...starting, ...this.#draining];
  }

  /** The number of threads that are kept, whether or not each of them serves now. */
  get size(): number {
    return this.#slots.length;
  }

  /** Whether a thread is starting, or will start where none serves. */
  get isStarting(): boolean {
    return this.hasVacancy || this.#slots.some(({ starting }) => starting !== undefined);
  }

  /** Whether a slot has no serving thread: one will start there. */
  get hasVacancy(): boolean {
    return this.#slots.some(({ serving }) => serving === undefined);
  }

  /** Whether no thread can render, because threads do not start. */
  get isUnavailable(): boolean {
    if (this.#isAbandoned) return true;
    return this.#failedStarts >= MAX_FAILED_STARTS && this.serving.length === 0;
  }

  /** Starts all threads; the first call counts. */
  start(): void {
    if (this.#threadOptions !== undefined || this.#isStopped) return;
    const { handler, maxHeapBytes, niceness, setup } = this.#options;
    this.#threadOptions = { handler, maxHeapBytes, niceness, setup: setup() };
    try {
      this.#entry = findEntry();
    } catch (error) {
      return this.#abandon(error as SsrError);
    }
    for (const slot of this.#slots) this.#startIn(slot);
  }

  /** Starts a further thread. If it does not start, the others are as many as before. */
  grow(reason: string): void {
    const slot = toSlot(true);
    this.#slots.push(slot);
    this.#startIn(slot);
    slot.starting?.publish('grow', reason);
  }

  /** Ends the last threads, each once its renders have ended. */
  shrink(count: number, reason: string): void {
    for (const slot of this.#slots.splice(-count)) {
      clearTimeout(slot.retry);
      slot.serving?.publish('shrink', reason);
      this.#drain(slot);
    }
    this.#replaceNext();
  }

  /** Starts a successor; the thread goes on until the successor is ready. */
  replace(worker: RenderWorker, reason: string): void {
    const slot = this.#slots.find(({ serving }) => serving === worker);
    if (slot === undefined || slot.isDue) return;
    slot.isDue = true;
    worker.publish('recycle', reason);
    this.#replaceNext();
  }

  /** Ends a replaced thread that has no renders left. */
  endIfDrained(worker: RenderWorker): void {
    if (worker.load === 0 && this.#draining.has(worker)) void worker.end();
  }

  /** Starts no more threads. Those that run go on until {@link endAll}. */
  stop(): void {
    this.#isStopped = true;
    this.#setReady();
  }

  /** Ends all threads, whatever they are doing. */
  async endAll(): Promise<void> {
    for (const { retry } of this.#slots) clearTimeout(retry);
    await Promise.all(this.threads.map((worker) => worker.end()));
  }

  #startIn(slot: Slot): void {
    clearTimeout(slot.retry);
    slot.retry = undefined;
    if (this.#isStopped || this.#isAbandoned || slot.starting !== undefined) return;
    if (slot.serving !== undefined && !slot.isDue) return;
    try {
      assertUnchanged(this.#entry!);
      slot.starting = new RenderWorker(this.#entry!, this.#threadOptions!, {
        onReady: (worker) => this.#onReady(slot, worker),
        onAnswer: (worker) => this.#onAnswer(slot, worker),
        onFull: (worker) => {
          if (worker.hasPaidOff) this.replace(worker, 'its heap is nearly full');
        },
        onUnhandled: (error) => this.#listener.onError(error),
        onEnd: (worker, ending) => this.#onEnd(slot, worker, ending),
      });
    } catch (cause) {
      const reason = (cause as Error).message;
      this.#onStartFailed(slot, { reason, cause, hasNoHandler: false });
    }
  }

  /** Starts a thread later, in a slot whose threads end before they have rendered anything. */
  #retryLater(slot: Slot): void {
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** slot.failures++, MAX_RETRY_MS);
    clearTimeout(slot.retry);
    slot.retry = setTimeout(() => this.#startIn(slot), waitMs).unref();
  }

  #onReady(slot: Slot, worker: RenderWorker): void {
    this.#drain(slot);
    slot.serving = worker;
    slot.starting = undefined;
    slot.isDue = false;
    if (slot.isNew) this.#hasGrowthFailed = false;
    slot.isNew = false;
    this.#failedStarts = 0;
    this.#hasServed = true;
    this.#setReady();
    this.#replaceNext();
    this.#listener.onChange();
  }

  /** The serving thread gets no more renders, and ends after its last. */
  #drain(slot: Slot): void {
    const { serving } = slot;
    if (serving === undefined) return;
    slot.serving = undefined;
    this.#draining.add(serving);
    this.endIfDrained(serving);
  }

  #onAnswer(slot: Slot, worker: RenderWorker): void {
    slot.failures = 0;
    this.endIfDrained(worker);
    const { recycleAfter } = this.#options;
    if (worker.answered >= recycleAfter) this.replace(worker, `${recycleAfter} renders`);
    this.#listener.onChange();
  }

  #onEnd(slot: Slot, worker: RenderWorker, ending: Ending): void {
    this.#draining.delete(worker);
    if (slot.starting === worker) {
      slot.starting = undefined;
      return this.#onStartFailed(slot, ending);
    }
    const hasServed = slot.serving === worker;
    if (hasServed) {
      slot.serving = undefined;
      slot.isDue = false;
    }
    this.#listener.onEnd(ending);
    if (this.#isStopped) return;
    if (hasServed && worker.answered > 0) this.#startIn(slot);
    else if (hasServed) this.#retryLater(slot);
    this.#replaceNext();
    this.#listener.onChange();
  }

  #onStartFailed(
    slot: Slot,
    { reason, cause, hasNoHandler }: Pick<Ending, 'reason' | 'cause' | 'hasNoHandler'>,
  ): void {
    if (this.#isStopped || this.#isAbandoned) return;
    const message = `a render thread did not start: ${reason}`;
    const error = new SsrError('NG_SSR_WORKER_NOT_STARTED', message, { cause });
    if (slot.isNew) return this.#giveUp(slot, error);
    this.#failedStarts++;
    const isPermanent = hasNoHandler || this.#failedStarts >= MAX_FAILED_STARTS;
    if (isPermanent && !this.#hasServed) return this.#abandon(error);
    if (this.#hasServed && this.#failedStarts === 1) this.#listener.onError(error);
    this.#retryLater(slot);
    this.#listener.onChange();
  }

  /** The pool does not grow: its threads go on, so this says nothing about whether threads can render. */
  #giveUp(slot: Slot, error: SsrError): void {
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    if (!this.#hasGrowthFailed) this.#listener.onError(error);
    this.#hasGrowthFailed = true;
    this.#listener.onChange();
  }

  /** Starts no thread any more: none has ever started, so none will. */
  #abandon(cause: SsrError): void {
    this.#isAbandoned = true;
    const message = `${cause.message}; pages are rendered on the main thread`;
    this.#listener.onError(new SsrError(cause.code, message, { cause: cause.cause }));
    this.#setReady();
    void this.endAll();
    this.#listener.onChange();
  }

  /** Replaces one thread at a time: each start costs the time of many renders. */
  #replaceNext(): void {
    const isInFlight = this.#slots.some((slot) => slot.serving && slot.starting);
    const next = this.#slots.find(
      (slot) => slot.isDue && slot.serving && !slot.starting && !slot.retry,
    );
    if (!isInFlight && next !== undefined) this.#startIn(next);
  }
}

function toSlot(isNew: boolean): Slot {
  return {
    isNew,
    serving: undefined,
    starting: undefined,
    isDue: false,
    failures: 0,
    retry: undefined,
  };
}
