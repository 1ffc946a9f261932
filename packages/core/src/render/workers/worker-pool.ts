import type { EngineSetup } from '../../engine.ts';
import { SsrError } from '../../errors.ts';
import type { Rendered } from '../render-whole.ts';
import type { RenderJob } from '../render-job.ts';
import type { Renderer } from '../renderer.ts';
import type { ThreadTimes } from '../thread-times.ts';
import { assertUnchanged, type Entry, findEntry } from './entry.ts';
import type { RenderTask } from './render-task.ts';
import { type Ending, RenderWorker } from './render-worker.ts';
import type { ThreadOptions } from './start-thread.ts';

/** Options of a {@link WorkerPool}. */
export interface WorkerPoolOptions {
  readonly workers: number;
  /** Which of the program's handlers this is, from 0 in order of creation. */
  readonly handler: number;
  readonly maxHeapMb: number;
  /** A thread is replaced after this many renders. */
  readonly recycleAfter: number;
  /** Called once, when the threads are started. */
  readonly setup: () => EngineSetup;
  /** Renders while no thread can be started. */
  readonly inProcess: Renderer;
  readonly onError: (error: SsrError) => void;
}

/** A place for one thread: the thread that serves, its successor that is starting, or both. */
interface Place {
  serving: RenderWorker | undefined;
  starting: RenderWorker | undefined;
  /** Whether the serving thread is to be replaced. */
  isDue: boolean;
  /** Consecutive threads that have ended here without rendering anything. */
  failures: number;
  retry: NodeJS.Timeout | undefined;
}

/** After this many consecutive failed starts, and without a serving thread, the main thread renders. */
const MOST_FAILED_STARTS = 3;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;
const WATCH_EVERY_MS = 250;
/** A thread that has not answered a ping for this long counts as stuck in a loop. */
const MOST_SILENT_MS = 3000;
/** The same for a thread whose render has timed out: it is being replaced anyway. */
const MOST_SILENT_AT_END_MS = 500;
/** A thread that has not answered a ping for this long gets no more renders. */
const DOUBTFUL_AFTER_MS = 200;
const CLOSE_TIMEOUT_MS = 1000;

/** Never aborts: a render on the main thread in place of a thread runs to its end. */
const { signal: never } = new AbortController();

/**
 * Renders on worker threads, each of which runs the whole program. The renders of a thread that is lost are
 * retried once, one at a time on another thread, so that a page which ends its thread does not end other
 * pages a second time.
 */
export class WorkerPool implements Renderer {
  readonly #options: WorkerPoolOptions;
  readonly #places: readonly Place[];
  /** Replaced threads with renders still under way. */
  readonly #leaving = new Set<RenderWorker>();
  /** Renders that have no thread yet. */
  readonly #waiting = new Set<RenderTask>();
  /** Renders of a lost thread: one of them may have ended it. */
  readonly #suspects = new Set<RenderTask>();
  /** The thread that renders the suspects, and nothing else meanwhile. */
  #quarantine: RenderWorker | undefined;
  #entry: Entry | undefined;
  #workerOptions: ThreadOptions | undefined;
  #failedStarts = 0;
  #hasServed = false;
  #isHopeless = false;
  #isClosed = false;
  #underWay = 0;
  #watch: NodeJS.Timeout | undefined;
  #onRest: (() => void) | undefined;
  readonly #ready: Promise<void>;
  #setReady!: () => void;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.workers }, () => ({
      serving: undefined,
      starting: undefined,
      isDue: false,
      failures: 0,
      retry: undefined,
    }));
    this.#ready = new Promise((resolve) => (this.#setReady = resolve));
  }

  /** Resolves when a thread can render, or when it is certain that none can. */
  ready(): Promise<void> {
    this.#begin();
    return this.#ready;
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Rendered | undefined> {
    this.#begin();
    if (this.#isClosed) return Promise.reject(closed(job));
    this.#countUnderWay(1);
    return new Promise<Rendered | undefined>((resolve, reject) => {
      const task: RenderTask = { job, resolve, reject, isRetry: false };
      signal.addEventListener('abort', () => this.#giveUp(task), { once: true });
      this.#waiting.add(task);
      this.#giveWork();
    }).finally(() => this.#countUnderWay(-1));
  }

  admitConnections(): Promise<boolean> | undefined {
    return this.#isInProcess ? this.#options.inProcess.admitConnections?.() : undefined;
  }

  /** Two per thread: when one render ends, the next is already on the thread. */
  get leastPlaces(): number {
    return 2 * this.#places.length;
  }

  times(): ThreadTimes {
    if (this.#isInProcess) return this.#options.inProcess.times();
    let activeMs = 0;
    let idleMs = 0;
    for (const { times } of this.#serving()) {
      activeMs += times.activeMs;
      idleMs += times.idleMs;
    }
    return { activeMs, idleMs };
  }

  /** Waits briefly for renders under way: even if no client waits for them, their pages are stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#setReady();
    if (this.#underWay > 0) await this.#rest();
    for (const task of [...this.#waiting, ...this.#suspects]) task.reject(closed(task.job));
    this.#waiting.clear();
    this.#suspects.clear();
    await this.#endAll();
  }

  #begin(): void {
    if (this.#workerOptions !== undefined || this.#isClosed) return;
    const { handler, maxHeapMb, setup } = this.#options;
    this.#workerOptions = { handler, maxHeapMb, setup: setup() };
    try {
      this.#entry = findEntry();
    } catch (error) {
      return this.#despair(error as SsrError);
    }
    for (const place of this.#places) this.#start(place);
  }

  #start(place: Place): void {
    clearTimeout(place.retry);
    place.retry = undefined;
    if (this.#isClosed || this.#isHopeless || place.starting !== undefined) return;
    if (place.serving !== undefined && !place.isDue) return;
    try {
      assertUnchanged(this.#entry!);
      place.starting = new RenderWorker(this.#entry!, this.#workerOptions!, {
        onReady: (worker) => this.#putIntoService(place, worker),
        onAnswer: (worker) => this.#hearAnswer(place, worker),
        onFull: (worker) => {
          if (worker.hasPaidOff) this.#replace(worker, 'its heap is nearly full');
        },
        onStray: this.#options.onError,
        onEnd: (worker, ending) => this.#hearEnd(place, worker, ending),
      });
    } catch (cause) {
      this.#hearFailedStart(place, {
        reason: (cause as Error).message,
        cause,
        hasNoHandler: false,
      });
    }
  }

  /** Retries later, for a place whose threads end before they have rendered anything. */
  #startLater(place: Place): void {
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** place.failures++, LAST_RETRY_MS);
    clearTimeout(place.retry);
    place.retry = setTimeout(() => this.#start(place), waitMs).unref();
  }

  #putIntoService(place: Place, worker: RenderWorker): void {
    const earlier = place.serving;
    place.serving = worker;
    place.starting = undefined;
    place.isDue = false;
    this.#failedStarts = 0;
    this.#hasServed = true;
    this.#setReady();
    if (earlier !== undefined) {
      if (this.#quarantine === earlier) this.#quarantine = undefined;
      this.#leaving.add(earlier);
      this.#letGo(earlier);
    }
    this.#replaceNext();
    this.#giveWork();
  }

  #hearAnswer(place: Place, worker: RenderWorker): void {
    place.failures = 0;
    this.#letGo(worker);
    const { recycleAfter } = this.#options;
    if (worker.answered >= recycleAfter) this.#replace(worker, `${recycleAfter} renders`);
    this.#giveWork();
  }

  #hearEnd(place: Place, worker: RenderWorker, ending: Ending): void {
    this.#leaving.delete(worker);
    if (this.#quarantine === worker) this.#quarantine = undefined;
    if (this.#isClosed) {
      for (const task of [...ending.begun, ...ending.unbegun]) task.reject(closed(task.job));
      return;
    }
    if (place.starting === worker) {
      place.starting = undefined;
      return this.#hearFailedStart(place, ending);
    }
    this.#lose(ending);
    if (place.serving === worker) {
      place.serving = undefined;
      place.isDue = false;
      if (worker.answered > 0) this.#start(place);
      else this.#startLater(place);
    }
    this.#replaceNext();
    this.#giveWork();
  }

  #hearFailedStart(
    place: Place,
    { reason, cause, hasNoHandler }: Pick<Ending, 'reason' | 'cause' | 'hasNoHandler'>,
  ): void {
    if (this.#isClosed || this.#isHopeless) return;
    this.#failedStarts++;
    const error = new SsrError(
      'NG_SSR_WORKER_NOT_STARTED',
      `a render thread does not start: ${reason}`,
      { cause },
    );
    const isHopeless = hasNoHandler || this.#failedStarts >= MOST_FAILED_STARTS;
    if (isHopeless && !this.#hasServed) return this.#despair(error);
    if (this.#hasServed && this.#failedStarts === 1) this.#options.onError(error);
    this.#startLater(place);
    this.#giveWork();
  }

  /** Gives up on threads: none has ever started, so none will. */
  #despair(cause: SsrError): void {
    this.#isHopeless = true;
    const message = `${cause.message}; pages are rendered on the main thread`;
    this.#options.onError(new SsrError(cause.code, message, { cause: cause.cause }));
    this.#setReady();
    void this.#endAll();
    this.#giveWork();
  }

  /**
   * Handles the renders of a thread that has ended: those not begun are queued again, those begun are retried
   * once.
   */
  #lose({ reason, cause, begun, unbegun, isRequested }: Ending): void {
    for (const task of unbegun) this.#waiting.add(task);
    if (isRequested && begun.length === 0) return;
    const names = begun.map(({ job }) => job.name).join(', ') || 'nothing';
    const message = isRequested
      ? `${names} lost a render thread that another page had blocked`
      : `a render thread has ended, rendering ${names}: ${reason}`;
    const error = new SsrError('NG_SSR_WORKER_LOST', message, { cause });
    if (!isRequested) this.#options.onError(error);
    for (const task of begun) {
      if (task.isRetry) {
        task.reject(error);
        continue;
      }
      task.isRetry = true;
      this.#suspects.add(task);
    }
  }

  /** Ends a render that has timed out. */
  #giveUp(task: RenderTask): void {
    const { name } = task.job;
    task.reject(new SsrError('NG_SSR_RENDER_TIMEOUT', `${name} is given up`));
    if (this.#waiting.delete(task) || this.#suspects.delete(task)) return;
    const worker = this.#workers().find((candidate) => candidate.has(task));
    if (worker === undefined) return;
    // If the render only waits for something, the thread's other pages may still end before the thread does.
    worker.expire(task);
    worker.ping();
    this.#replace(worker, `${name} was given up`);
    this.#letGo(worker);
    this.#giveWork();
    this.#watch ??= setInterval(() => this.#look(), WATCH_EVERY_MS);
  }

  /** Starts a successor; the thread goes on until the successor is ready. */
  #replace(worker: RenderWorker, reason: string): void {
    const place = this.#places.find(({ serving }) => serving === worker);
    if (place === undefined || place.isDue) return;
    place.isDue = true;
    worker.publish('recycle', reason);
    this.#replaceNext();
  }

  /** Replaces one thread at a time: each start costs the time of many renders. */
  #replaceNext(): void {
    const isUnderWay = this.#places.some((place) => place.serving && place.starting);
    const next = this.#places.find(
      (place) => place.isDue && place.serving && !place.starting && !place.retry,
    );
    if (!isUnderWay && next !== undefined) this.#start(next);
  }

  /** Ends a replaced thread that has no renders left. */
  #letGo(worker: RenderWorker): void {
    if (worker.load === 0 && this.#leaving.has(worker)) void worker.end();
  }

  /** Sends waiting renders to threads that can take them. */
  #giveWork(): void {
    if (this.#isInProcess) {
      for (const task of this.#suspects) this.#renderInProcess(task);
      for (const task of this.#waiting) this.#renderInProcess(task);
      this.#suspects.clear();
      this.#waiting.clear();
      return;
    }
    this.#examine();
    for (const task of this.#waiting) {
      const worker = this.#leastLoaded();
      if (worker === undefined) return;
      this.#waiting.delete(task);
      this.#send(worker, task);
    }
  }

  /** Renders the next suspect, alone on its thread. */
  #examine(): void {
    if (this.#quarantine?.load === 0 && this.#suspects.size === 0) this.#quarantine = undefined;
    for (const task of this.#suspects) {
      // A thread that is about to start is the best choice: it has no other renders to lose.
      const isOneComing = this.#places.some(({ serving }) => serving === undefined);
      this.#quarantine ??= this.#newcomer() ?? (isOneComing ? undefined : this.#leastLoaded());
      if (this.#quarantine?.load !== 0) return;
      this.#suspects.delete(task);
      this.#send(this.#quarantine, task);
    }
  }

  #newcomer(): RenderWorker | undefined {
    return this.#serving().find(({ answered, load }) => answered === 0 && load === 0);
  }

  #leastLoaded(): RenderWorker | undefined {
    let least: RenderWorker | undefined;
    let leastLoad = Number.POSITIVE_INFINITY;
    for (const worker of this.#serving()) {
      const { load, silentMs, isBlocked } = worker;
      if (worker === this.#quarantine || isBlocked || load >= leastLoad) continue;
      if (silentMs > DOUBTFUL_AFTER_MS) continue;
      least = worker;
      leastLoad = load;
    }
    return least;
  }

  #send(worker: RenderWorker, task: RenderTask): void {
    try {
      worker.render(task);
    } catch (error) {
      task.reject(error as SsrError);
    }
  }

  /** Whether the main thread renders because threads do not start. It takes no suspects: one may end it. */
  get #isInProcess(): boolean {
    if (this.#isHopeless) return true;
    return this.#failedStarts >= MOST_FAILED_STARTS && this.#serving().length === 0;
  }

  #renderInProcess(task: RenderTask): void {
    const { job, resolve, reject, isRetry } = task;
    if (!isRetry) return void this.#options.inProcess.render(job, never).then(resolve, reject);
    const message = `${job.name} lost its render thread, and there is no other`;
    reject(new SsrError('NG_SSR_WORKER_LOST', message));
  }

  #serving(): RenderWorker[] {
    return this.#places.flatMap(({ serving }) => serving ?? []);
  }

  #workers(): RenderWorker[] {
    const starting = this.#places.flatMap((place) => place.starting ?? []);
    return [...this.#serving(), ...starting, ...this.#leaving];
  }

  async #endAll(): Promise<void> {
    for (const { retry } of this.#places) clearTimeout(retry);
    await Promise.all(this.#workers().map((worker) => worker.end()));
  }

  /** The timer keeps the process alive while renders are under way. */
  #countUnderWay(change: number): void {
    this.#underWay += change;
    if (this.#underWay > 0) this.#watch ??= setInterval(() => this.#look(), WATCH_EVERY_MS);
    else this.#onRest?.();
  }

  /** Resolves when no render is under way, or after {@link CLOSE_TIMEOUT_MS}. */
  async #rest(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
      timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    });
    clearTimeout(timer);
  }

  /** Checks for stuck threads. */
  #look(): void {
    const workers = this.#workers();
    for (const worker of workers) this.#check(worker);
    if (this.#leastLoaded() !== undefined) {
      for (const worker of workers) {
        if (worker === this.#quarantine || !worker.isBlocked) continue;
        for (const task of worker.withdraw()) this.#waiting.add(task);
        this.#letGo(worker);
      }
    }
    this.#giveWork();
    if (this.#underWay > 0 || workers.some(({ silentMs }) => silentMs > 0)) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #check(worker: RenderWorker): void {
    // The main thread may have been the busy one, with the answer still unread.
    worker.readMessages();
    const { load, silentMs, hasTimedOut } = worker;
    if (load > 0) worker.ping();
    if (silentMs < (hasTimedOut ? MOST_SILENT_AT_END_MS : MOST_SILENT_MS)) return;
    if (hasTimedOut || !worker.hasOnlyRetries) return void worker.end();
    // A retried render is alone on its thread and may take its whole time. Other renders go elsewhere.
    if (this.#quarantine === worker) this.#quarantine = undefined;
    this.#replace(worker, 'it does not answer');
  }
}

function closed({ name }: RenderJob): SsrError {
  return new SsrError('NG_SSR_WORKER_LOST', `${name} was not rendered: the server is closed`);
}
