import { AsyncResource } from 'node:async_hooks';
import { SsrError } from '../errors.ts';
import { channelOf } from '../telemetry/channels.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { Demand } from './demand.ts';
import { Pace } from './pace.ts';
import type { Rendered } from './render-whole.ts';
import type { Renderer, RenderJob } from './renderer.ts';
import { WaitingLine } from './waiting-line.ts';

/** What a job may ask of the scheduler. */
export interface Terms {
  /** Whether it may wait for others to end. */
  readonly mayQueue: boolean;
  /** The requests that wait for it. */
  readonly demand: Demand;
}

interface Waiting {
  readonly job: RenderJob;
  readonly demand: Demand;
  readonly sinceMs: number;
  /** From this time on, by `performance.now()`, it is rejected instead of begun. */
  readonly dropAtMs: number;
  /** Starts it in the async context of its own request, not of the request whose render has ended. */
  readonly start: () => void;
  readonly reject: (error: SsrError) => void;
  /** Takes it out of its line. */
  leave: () => void;
}

/** The bounds of a {@link Scheduler}. */
export interface SchedulerOptions {
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly timeoutMs: number;
}

/** The length of the queue of refreshes and prewarming. */
const MOST_BACKGROUND = 256;
/** The part of all places that refreshes and prewarming may take. */
const BACKGROUND_PART = 1 / 4;
/** When the oldest request has only this part of its time left, the newest comes first. */
const SPARE_PART = 1 / 4;
/** How often the queue looks for a place while the limit is below the option `concurrency`. */
const LOOK_EVERY_MS = 50;

/**
 * Step 5: limits concurrent renders, queue length and render time. A render past its deadline keeps its
 * place until it ends or times out.
 *
 * The oldest request comes first while it can still be answered in time. Under more load than the server
 * can render, oldest first would begin each render just too late. So the newest comes first then, until
 * the queue is empty (adaptive LIFO: B. Maurer, "Fail at Scale", ACM Queue 13(8), 2015). A request whose
 * page would come too late, as renders have lately taken, is rejected at once. Refreshes and prewarming
 * come after all requests, and leave places free for them.
 */
export class Scheduler {
  readonly #renderer: Renderer;
  readonly #options: SchedulerOptions;
  readonly #limit: ConcurrencyLimit;
  readonly #pace = new Pace();
  readonly #visitors = new WaitingLine<Waiting>();
  readonly #background = new WaitingLine<Waiting>();
  readonly #mostBackground: number;
  #running = 0;
  #runningBackground = 0;
  #isNewestFirst = false;
  #look: NodeJS.Timeout | undefined;

  constructor(renderer: Renderer, options: SchedulerOptions) {
    this.#renderer = renderer;
    this.#options = options;
    const { leastPlaces } = renderer;
    this.#limit = new ConcurrencyLimit(options.concurrency, leastPlaces, () => renderer.times());
    this.#mostBackground = Math.max(1, Math.floor(options.concurrency * BACKGROUND_PART));
  }

  /** Whether requests are queued, or as many renders run as may. A lowered limit alone is no overload. */
  get isSaturated(): boolean {
    return this.#visitors.size > 0 || this.#running >= this.#options.concurrency;
  }

  /** How many wait. */
  get queued(): number {
    return this.#visitors.size + this.#background.size;
  }

  /** How many are under way. */
  get running(): number {
    return this.#running;
  }

  /**
   * Renders when it is this job's turn.
   *
   * @throws SsrError what a {@link Renderer} throws; `NG_SSR_OVERLOADED` when it may not or cannot
   * wait, cannot end in time, or its last request has left; `NG_SSR_RENDER_TIMEOUT` when it takes too
   * long.
   */
  render(job: RenderJob, { mayQueue, demand }: Terms): Promise<Rendered | undefined> {
    if (demand.isOver) return Promise.reject(overloaded(job));
    if (!demand.hasWaiters) {
      if (this.#hasPlaceInBackground()) return this.#start(job, demand);
      if (this.#background.size >= MOST_BACKGROUND) return Promise.reject(overloaded(job));
      return this.#wait(job, demand);
    }
    this.#dropLate();
    if (this.#visitors.size === 0 && this.#findPlace(mayQueue)) return this.#start(job, demand);
    if (!mayQueue || !this.#makeRoom()) return Promise.reject(overloaded(job));
    return this.#wait(job, demand);
  }

  /** Resolves when renders can begin. Never rejects. */
  ready(): Promise<void> {
    return this.#renderer.ready();
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }

  #wait(job: RenderJob, demand: Demand): Promise<Rendered | undefined> {
    const sinceMs = performance.now();
    return new Promise((resolve, reject) => {
      const start = AsyncResource.bind(() => {
        resolve(this.#start(job, demand, sinceMs));
      });
      const dropAtMs = this.#dropAtMs(demand, sinceMs);
      this.#enqueue({ job, demand, sinceMs, dropAtMs, start, reject, leave: nothing });
      this.#tellQueue();
      // A job that cannot end in time is rejected at once.
      this.#startNext();
      this.#lookAgain();
    });
  }

  #enqueue(waiting: Waiting): void {
    const { demand, job, reject } = waiting;
    const isVisitors = demand.hasWaiters;
    const line = isVisitors ? this.#visitors : this.#background;
    const place = line.add(waiting);
    waiting.leave = () => {
      line.delete(place);
      demand.onChange(undefined);
    };
    demand.onChange(() => {
      if (demand.hasWaiters === isVisitors) return;
      waiting.leave();
      if (demand.isOver) reject(overloaded(job));
      else {
        // A request now waits for what was a refresh, or the reverse.
        const dropAtMs = this.#dropAtMs(demand, performance.now());
        this.#enqueue({ ...waiting, dropAtMs });
      }
      this.#startNext();
      this.#tellQueue();
    });
  }

  #reject(waiting: Waiting): void {
    waiting.leave();
    waiting.reject(overloaded(waiting.job));
  }

  /** While the newest comes first, a request that has waited for long would wait in vain. */
  #dropAtMs({ deadlineAtMs, hasWaiters }: Demand, nowMs: number): number {
    if (!hasWaiters) return deadlineAtMs;
    const latestMs = deadlineAtMs - this.#pace.durationMs;
    if (!this.#isNewestFirst) return latestMs;
    return Math.min(latestMs, nowMs + (deadlineAtMs - nowMs) * SPARE_PART);
  }

  /** Rejects the jobs that would end too late, the oldest first. */
  #dropLate(): void {
    const nowMs = performance.now();
    for (const line of [this.#visitors, this.#background]) {
      for (let oldest; (oldest = line.oldest) !== undefined && nowMs >= oldest.dropAtMs;) {
        if (oldest.demand.hasWaiters) this.#isNewestFirst = true;
        this.#reject(oldest);
      }
    }
    const { oldest } = this.#visitors;
    if (oldest === undefined) this.#isNewestFirst = false;
  }

  /** In a full queue the oldest job makes room while the newest comes first. */
  #makeRoom(): boolean {
    const { maxQueued } = this.#options;
    if (this.#visitors.size < maxQueued) return true;
    const { oldest } = this.#visitors;
    if (!this.#isNewestFirst || oldest === undefined) return false;
    this.#reject(oldest);
    return true;
  }

  /** A job that may not wait has every place: the limit is lowered for the queue's sake. */
  #findPlace(mayQueue = true): boolean {
    if (!mayQueue) return this.#running < this.#options.concurrency;
    return this.#running < this.#limit.current || this.#limit.makePlace();
  }

  /** A lowered limit may rise while the queue waits and nothing else happens. */
  #lookAgain(): void {
    if (this.#look !== undefined || this.#visitors.size === 0 || !this.#limit.isLowered) return;
    this.#look = setTimeout(() => {
      this.#look = undefined;
      this.#startNext();
      this.#lookAgain();
    }, LOOK_EVERY_MS).unref();
  }

  /** Where there is more than one place, one stays free for the next request. */
  #hasPlaceInBackground(): boolean {
    if (this.#visitors.size > 0 || this.#runningBackground >= this.#mostBackground) return false;
    return this.#running === 0 || this.#running < this.#limit.current - 1;
  }

  #tellQueue(): void {
    if (!queues.hasSubscribers) return;
    queues.publish({ queued: this.queued, running: this.#running });
  }

  async #start(
    job: RenderJob,
    demand: Demand,
    waitedSinceMs = performance.now(),
  ): Promise<Rendered | undefined> {
    const isBackground = !demand.hasWaiters;
    if (isBackground) this.#runningBackground++;
    this.#running++;
    const sinceMs = performance.now();
    const patienceMs = demand.deadlineAtMs - waitedSinceMs;
    const begun = this.#limit.begin();
    this.#tellQueue();
    const end = tellRender(job, sinceMs - waitedSinceMs);
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      const { timeoutMs } = this.#options;
      timer = setTimeout(() => {
        const message = `${job.name} is given up: its render has taken ${timeoutMs} ms`;
        reject(new SsrError('NG_SSR_RENDER_TIMEOUT', message));
        controller.abort();
      }, timeoutMs).unref();
    });
    try {
      const ending = this.#renderBehindConnections(job, demand, controller.signal);
      const { rendered, isBehind } = await Promise.race([ending, timeout]);
      this.#pace.note(performance.now() - sinceMs);
      if (!isBackground) {
        const hasQueue = isBehind || this.#visitors.size > 0;
        this.#limit.end(begun, patienceMs, this.#running, hasQueue);
      }
      end(rendered?.response.status, undefined);
      return rendered;
    } catch (error) {
      end(undefined, error as SsrError);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#running--;
      if (isBackground) this.#runningBackground--;
      this.#startNext();
      this.#tellQueue();
    }
  }

  /** Connections that still wait are requests that no queue knows. */
  async #renderBehindConnections(
    job: RenderJob,
    demand: Demand,
    signal: AbortSignal,
  ): Promise<{ readonly rendered: Rendered | undefined; readonly isBehind: boolean }> {
    const isBehind = (await this.#renderer.admitConnections?.()) ?? false;
    // Its client may have left: that is known only now.
    if (demand.isOver || signal.aborted) throw overloaded(job);
    return { rendered: await this.#renderer.render(job, signal), isBehind };
  }

  #startNext(): void {
    this.#dropLate();
    for (let next; (next = this.#next()) !== undefined && this.#findPlace();) {
      if (performance.now() >= next.dropAtMs) {
        this.#reject(next);
        continue;
      }
      next.leave();
      next.start();
    }
    if (this.#visitors.size === 0) this.#isNewestFirst = false;
    for (let next; (next = this.#background.oldest) !== undefined;) {
      if (!this.#hasPlaceInBackground()) break;
      next.leave();
      next.start();
    }
  }

  #next(): Waiting | undefined {
    const { oldest, newest } = this.#visitors;
    if (oldest === undefined || newest === undefined) return undefined;
    const nowMs = performance.now();
    const spareMs = (oldest.demand.deadlineAtMs - oldest.sinceMs) * SPARE_PART;
    if (nowMs + spareMs >= oldest.dropAtMs) this.#isNewestFirst = true;
    return this.#isNewestFirst ? newest : oldest;
  }
}

const starts = channelOf('ng-ssr:render:start');
const ends = channelOf('ng-ssr:render:end');
const queues = channelOf('ng-ssr:queue');

/** Publishes the start of a render; the function that it returns publishes the end. */
function tellRender(
  { name, request }: RenderJob,
  queuedMs: number,
): (status: number | undefined, error: SsrError | undefined) => void {
  const render = {};
  if (starts.hasSubscribers) starts.publish({ render, name, url: request.url, queuedMs });
  const sinceMs = performance.now();
  return (status, error) => {
    if (!ends.hasSubscribers) return;
    const durationMs = performance.now() - sinceMs;
    ends.publish({ render, name, durationMs, status, error: error?.code });
  };
}

const nothing = (): void => undefined;

function overloaded({ name }: RenderJob): SsrError {
  return new SsrError('NG_SSR_OVERLOADED', `${name} was not rendered: too many renders wait`);
}
