/** Functions of the runtime as they are outside a simulation. */
const realTurn = setImmediate;

/** The date at time 0. Any one will do: runs must not depend on the day. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Work at a time. A timer that was cleared has no function. */
interface Entry {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | undefined;
  /** Whether code that awaits may go on after it. */
  readonly isAwaited: boolean;
}

/** As Node's timers, as far as the core uses them. */
class Timer {
  entry: Entry | undefined;
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
}

/**
 * A clock that only `runUntil` moves, and the work that waits for it. Between `install` and `uninstall`, `performance.now`,
 * `Date.now` and timers of the whole process are those of this clock: code under simulation needs no change.
 */
export class VirtualTime {
  nowMs: number;
  #heap: Entry[] = [];
  /** How many entries of the heap are of timers that were cleared. */
  #cleared = 0;
  #order = 0;
  #uninstall: (() => void) | undefined;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** @param isAwaited - False for work that settles no promise: the clock then goes on at once. */
  at(atMs: number, run: () => void, isAwaited = false): Entry {
    const entry = { atMs: Math.max(atMs, this.nowMs), order: this.#order++, run, isAwaited };
    this.#push(entry);
    return entry;
  }

  /** Resolves after a time. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.at(this.nowMs + ms, resolve, true));
  }

  /**
   * Runs what is due until a time.
   *
   * @param arrivals - Requests that come meanwhile.
   */
  async runUntil(endMs: number, arrivals?: Arrivals): Promise<void> {
    let nextMs = arrivals?.nextMs ?? Infinity;
    for (;;) {
      const [first] = this.#heap;
      const dueMs = first === undefined ? Infinity : first.atMs;
      if (Math.min(dueMs, nextMs) > endMs) break;
      if (nextMs < dueMs) {
        this.nowMs = nextMs;
        const isAwaited = arrivals!.arrive();
        nextMs = arrivals!.nextMs;
        if (isAwaited) await turn();
        continue;
      }
      this.#pop();
      const { run, isAwaited } = first!;
      if (run === undefined) {
        this.#cleared--;
        continue;
      }
      this.nowMs = dueMs;
      first!.run = undefined;
      run();
      if (isAwaited) await turn();
    }
    this.nowMs = endMs;
  }

  install(): void {
    const real = { setTimeout, clearTimeout, setInterval, clearInterval };
    const realDate = Date.now;
    const start = (run: () => void, ms: number, isRepeated: boolean): Timer => {
      const timer = new Timer();
      const wait = (): void => {
        timer.entry = this.at(
          this.nowMs + ms,
          () => {
            if (isRepeated) wait();
            run();
          },
          true,
        );
      };
      wait();
      return timer;
    };
    const stop = (timer: unknown): void => {
      if (!(timer instanceof Timer)) return real.clearTimeout(timer as NodeJS.Timeout);
      if (timer.entry?.run === undefined) return;
      timer.entry.run = undefined;
      this.#cleared++;
      this.#dropCleared();
    };
    type Callback = (...args: unknown[]) => void;
    Object.assign(globalThis, {
      setTimeout: (run: Callback, ms = 0, ...args: unknown[]) =>
        start(() => run(...args), ms, false),
      setInterval: (run: Callback, ms = 0, ...args: unknown[]) =>
        start(() => run(...args), ms, true),
      clearTimeout: stop,
      clearInterval: stop,
    });
    Object.defineProperty(performance, 'now', { value: () => this.nowMs, configurable: true });
    Date.now = () => EPOCH_MS + this.nowMs;
    this.#uninstall = () => {
      Object.assign(globalThis, real);
      delete (performance as { now?: unknown }).now;
      Date.now = realDate;
    };
  }

  uninstall(): void {
    this.#uninstall?.();
    this.#uninstall = undefined;
  }

  /** Most timers are time limits that are cleared soon. */
  #dropCleared(): void {
    if (this.#cleared < 1000 || this.#cleared < this.#heap.length / 2) return;
    // In order, which is a heap.
    this.#heap = this.#heap.filter(({ run }) => run !== undefined).sort(compare);
    this.#cleared = 0;
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

/** Requests, which come in the order of their times and so need no place in the heap. */
export interface Arrivals {
  readonly nextMs: number;
  /** @returns whether code that awaits may go on after it. */
  arrive(): boolean;
}

/** Lets all promises settle that can settle without the clock. */
function turn(): Promise<void> {
  return new Promise((resolve) => void realTurn(resolve));
}

function compare(one: Entry, other: Entry): number {
  return one.atMs - other.atMs || one.order - other.order;
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
