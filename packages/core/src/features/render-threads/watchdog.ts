import type { Dispatcher } from './dispatcher.ts';
import type { RenderWorker } from './render-worker.ts';
import type { Supervisor } from './supervisor.ts';

const CHECK_EVERY_MS = 250;
/** A thread that has not answered a ping for this long counts as stuck in a loop. */
const MAX_SILENT_MS = 3000;
/** The same for a thread whose render has timed out: it is being replaced anyway. */
const MAX_SILENT_AT_END_MS = 500;

type WatchedRenders = Pick<Dispatcher, 'inFlight' | 'dispatch' | 'withdrawBlocked' | 'isolate'>;

/** Ends threads that are stuck, and moves the renders that wait for a blocked thread to others. */
export class Watchdog {
  readonly #supervisor: Pick<Supervisor, 'threads'>;
  readonly #dispatcher: WatchedRenders;
  readonly #onCheck: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onCheck - Called at each check. */
  constructor(
    supervisor: Pick<Supervisor, 'threads'>,
    dispatcher: WatchedRenders,
    onCheck: () => void,
  ) {
    this.#supervisor = supervisor;
    this.#dispatcher = dispatcher;
    this.#onCheck = onCheck;
  }

  /** Watches while renders are in flight, or threads are silent. The timer keeps the process alive as long. */
  start(): void {
    if (this.#dispatcher.inFlight === 0) return;
    this.#timer ??= setInterval(() => this.#checkAll(), CHECK_EVERY_MS);
  }

  #checkAll(): void {
    const { threads } = this.#supervisor;
    for (const worker of threads) this.#check(worker);
    this.#dispatcher.withdrawBlocked();
    this.#dispatcher.dispatch();
    this.#onCheck();
    if (this.#dispatcher.inFlight > 0 || threads.some(({ silentMs }) => silentMs > 0)) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(worker: RenderWorker): void {
    // The main thread may have been the busy one, with the answer still unread.
    worker.readMessages();
    const { load, silentMs, hasTimedOut } = worker;
    if (load > 0) worker.ping();
    if (silentMs < (hasTimedOut ? MAX_SILENT_AT_END_MS : MAX_SILENT_MS)) return;
    // A retried render is alone on its thread, so it may take its whole time.
    if (hasTimedOut || !worker.hasOnlyRetries) void worker.end();
    else this.#dispatcher.isolate(worker, 'it does not respond');
  }
}
