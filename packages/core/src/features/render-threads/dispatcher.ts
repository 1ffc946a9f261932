import { SsrError } from '../../errors.ts';
import type { RenderJob } from '../../render/render-job.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { Renderer } from '../../render/renderer.ts';
import { Quarantine } from './quarantine.ts';
import type { RenderTask } from './render-task.ts';
import type { Ending, RenderWorker } from './render-worker.ts';
import type { Supervisor } from './supervisor.ts';

/** The part of a {@link Supervisor} that a dispatcher uses. */
export type SupervisedThreads = Pick<
  Supervisor,
  'serving' | 'threads' | 'hasVacancy' | 'isUnavailable' | 'replace' | 'endIfDrained'
>;

/** A thread that has not answered a ping for this long gets no more renders. */
const DOUBTFUL_AFTER_MS = 200;
const CLOSE_TIMEOUT_MS = 1000;

/** Never aborts: a render on the main thread in place of a thread runs to its end. */
const { signal: never } = new AbortController();

/**
 * Sends each render to the thread with the fewest, or to the main thread where threads do not start. The
 * renders of a lost thread are retried once, in {@link Quarantine}.
 */
export class Dispatcher {
  readonly #supervisor: SupervisedThreads;
  readonly #inProcess: Renderer;
  readonly #onError: (error: SsrError) => void;
  /** Renders that have no thread yet. */
  readonly #queued = new Set<RenderTask>();
  readonly #quarantine: Quarantine;
  #inFlight = 0;
  #onIdle: (() => void) | undefined;
  #isClosed = false;

  /**
   * @param inProcess - Renders while no thread can.
   * @param onError - Called once for each lost thread.
   */
  constructor(
    supervisor: SupervisedThreads,
    inProcess: Renderer,
    onError: (error: SsrError) => void,
  ) {
    this.#supervisor = supervisor;
    this.#inProcess = inProcess;
    this.#onError = onError;
    this.#quarantine = new Quarantine(supervisor);
  }

  /** Renders that have not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** @throws SsrError those of {@link Renderer.render} */
  render(job: RenderJob, signal: AbortSignal): Promise<Rendered | undefined> {
    if (this.#isClosed) return Promise.reject(closed(job));
    this.#inFlight++;
    return new Promise<Rendered | undefined>((resolve, reject) => {
      const task: RenderTask = { job, resolve, reject, isRetry: false };
      signal.addEventListener('abort', () => this.#expire(task), { once: true });
      this.#queued.add(task);
      this.dispatch();
    }).finally(() => {
      this.#inFlight--;
      if (this.#inFlight === 0) this.#onIdle?.();
    });
  }

  /** Sends queued renders to threads that can take them. */
  dispatch(): void {
    if (this.#supervisor.isUnavailable) {
      for (const task of this.#takeQueued()) this.#renderInProcess(task);
      return;
    }
    this.#quarantine.dispatch(send, () => this.#leastLoaded());
    for (const task of this.#queued) {
      const worker = this.#leastLoaded();
      if (worker === undefined) return;
      this.#queued.delete(task);
      send(worker, task);
    }
  }

  /**
   * Handles the renders of a thread that has ended: those not begun are queued again, those begun are retried
   * once.
   */
  recover({ reason, cause, begun, unbegun, isRequested }: Ending): void {
    if (this.#isClosed) {
      for (const task of [...begun, ...unbegun]) task.reject(closed(task.job));
      return;
    }
    for (const task of unbegun) this.#queued.add(task);
    if (isRequested && begun.length === 0) return;
    const names = begun.map(({ job }) => job.name).join(', ') || 'nothing';
    const message = isRequested
      ? `the render thread of ${names} was stopped because another page blocked it`
      : `a render thread ended while rendering ${names}: ${reason}`;
    const error = new SsrError('NG_SSR_WORKER_LOST', message, { cause });
    if (!isRequested) this.#onError(error);
    for (const task of begun) {
      if (task.isRetry) {
        task.reject(error);
        continue;
      }
      task.isRetry = true;
      this.#quarantine.add(task);
    }
  }

  /** Withdraws what blocked threads have not begun, if another thread can take it. */
  withdrawBlocked(): void {
    if (this.#leastLoaded() === undefined) return;
    const quarantined = this.#quarantine.worker;
    for (const worker of this.#supervisor.threads) {
      if (worker === quarantined || !worker.isBlocked) continue;
      for (const task of worker.withdraw()) this.#queued.add(task);
      this.#supervisor.endIfDrained(worker);
    }
  }

  /** Replaces a thread that a retried render keeps busy. The render may take its time; others go elsewhere. */
  isolate(worker: RenderWorker, reason: string): void {
    this.#quarantine.release(worker);
    this.#supervisor.replace(worker, reason);
  }

  /** Waits briefly for renders in flight: even if no client waits for them, their pages are stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#inFlight > 0) await this.#idle();
    for (const task of this.#takeQueued()) task.reject(closed(task.job));
  }

  /** Ends a render that has timed out. */
  #expire(task: RenderTask): void {
    const { name } = task.job;
    task.reject(new SsrError('NG_SSR_RENDER_TIMEOUT', `${name} timed out (render.timeoutMs)`));
    if (this.#queued.delete(task) || this.#quarantine.delete(task)) return;
    const worker = this.#supervisor.threads.find((candidate) => candidate.has(task));
    if (worker === undefined) return;
    // If the render only waits for something, the thread's other pages may still end before the thread does.
    worker.expire(task);
    worker.ping();
    this.#supervisor.replace(worker, `${name} timed out`);
    this.#supervisor.endIfDrained(worker);
    this.dispatch();
  }

  #leastLoaded(): RenderWorker | undefined {
    const quarantined = this.#quarantine.worker;
    let least: RenderWorker | undefined;
    let leastLoad = Number.POSITIVE_INFINITY;
    for (const worker of this.#supervisor.serving) {
      const { load, silentMs, isBlocked } = worker;
      if (worker === quarantined || isBlocked || load >= leastLoad) continue;
      if (silentMs > DOUBTFUL_AFTER_MS) continue;
      least = worker;
      leastLoad = load;
    }
    return least;
  }

  /** A retried render may have ended its thread, and must not end the main thread. */
  #renderInProcess({ job, resolve, reject, isRetry }: RenderTask): void {
    if (!isRetry) return void this.#inProcess.render(job, never).then(resolve, reject);
    const message = `the render thread of ${job.name} ended, and there is no other`;
    reject(new SsrError('NG_SSR_WORKER_LOST', message));
  }

  #takeQueued(): RenderTask[] {
    const tasks = [...this.#quarantine.takeAll(), ...this.#queued];
    this.#queued.clear();
    return tasks;
  }

  /** Resolves when no render is in flight, or after {@link CLOSE_TIMEOUT_MS}. */
  async #idle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    });
    clearTimeout(timer);
  }
}

function send(worker: RenderWorker, task: RenderTask): void {
  try {
    worker.render(task);
  } catch (error) {
    task.reject(error as SsrError);
  }
}

function closed({ name }: RenderJob): SsrError {
  return new SsrError('NG_SSR_WORKER_LOST', `${name} was not rendered: the server is closed`);
}
