import { platform } from '#platform';
import { SsrError } from '../errors.ts';
import { unref } from '../timers.ts';
import { channelOf } from '../telemetry/channels.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { Demand, Terms } from './demand.ts';
import type { Rendered } from './render-whole.ts';
import type { RenderJob } from './render-job.ts';
import type { Renderer } from './renderer.ts';
import { WaitingLine } from './waiting-line.ts';

interface QueuedJob {
  readonly job: RenderJob;
  readonly demand: Demand;
  readonly sinceMs: number;
  /** From this time (performance.now()) on the job is rejected instead of started. */
  readonly dropAtMs: number;
  /** Starts the job in the async context of its own request, not of the request whose render has ended. */
  readonly start: () => void;
  readonly reject: (error: SsrError) => void;
  /** Removes the job from its queue. */
  dequeue: () => void;
}

/** The limits of a {@link Scheduler}. */
export interface SchedulerOptions {
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly timeoutMs: number;
}

/** The maximum length of the queue of refreshes and prewarming. */
const MAX_BACKGROUND_QUEUED = 256;
/** The share of all slots that refreshes and prewarming may take. */
const BACKGROUND_SHARE = 1 / 4;
/** When the oldest request has only this share of its time left, the newest goes first. */
const SPARE_SHARE = 1 / 4;
/** How often the queue checks for a free slot while the limit is below the option `concurrency`. */
const POLL_EVERY_MS = 50;
/** The weight of the next measurement in the average, as in RFC 6298 for round-trip times. */
const WEIGHT = 1 / 8;

/**
 * Step 5 of the request path: limits concurrent renders, queue length and render time. A render past its
 * deadline keeps its slot until it ends or times out.
 *
 * The oldest request goes first while it can still be answered in time. Under more load than the server can
 * render, that order would start each render just too late. So the newest goes first then, until the queue is
 * empty (adaptive LIFO: B. Maurer, "Fail at Scale", ACM Queue 13(8), 2015). A request whose page would be too
 * late, judging by recent renders, is rejected at once. Refreshes and prewarming go after all requests, and
 * leave slots free for them.
 */
export class Scheduler {
  readonly #renderer: Renderer;
  readonly #options: SchedulerOptions;
  readonly #limit: ConcurrencyLimit;
  readonly #visitors = new WaitingLine<QueuedJob>();
  readonly #background = new WaitingLine<QueuedJob>();
  readonly #maxBackground: number;
  #running = 0;
  #runningBackground = 0;
  #isNewestFirst = false;
  /** The moving average of how long successful renders have taken; 0 before the first one ends. */
  #durationMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(renderer: Renderer, options: SchedulerOptions) {
    this.#renderer = renderer;
    this.#options = options;
    this.#limit = new ConcurrencyLimit(options.concurrency, renderer);
    this.#maxBackground = Math.max(1, Math.floor(options.concurrency * BACKGROUND_SHARE));
  }

  /** Whether requests are queued, or `concurrency` renders run. A lowered limit alone is no overload. */
  get isSaturated(): boolean {
    return this.#visitors.size > 0 || this.#running >= this.#options.concurrency;
  }

  /** Queued jobs, refreshes and prewarming included. */
  get queued(): number {
    return this.#visitors.size + this.#background.size;
  }

  /** Renders in flight, refreshes and prewarming included. */
  get running(): number {
    return this.#running;
  }

  /**
   * Renders the job when it is its turn.
   *
   * @throws SsrError those of {@link Renderer.render}; `NG_SSR_OVERLOADED` when the job may not be queued,
   * the queue is full, the job cannot end in time, or no request waits for it any more;
   * `NG_SSR_RENDER_TIMEOUT` when it takes too long.
   */
  render(job: RenderJob, { mayQueue, demand }: Terms): Promise<Rendered | undefined> {
    if (demand.isOver) return Promise.reject(overloaded(job));
    // The render that waits for this page keeps its slot: both could wait for each other.
    if (job.chain !== undefined) return this.#start(job, demand);
    if (!demand.hasWaiters) {
      if (this.#hasBackgroundSlot()) return this.#start(job, demand);
      if (this.#background.size >= MAX_BACKGROUND_QUEUED) return Promise.reject(overloaded(job));
      return this.#wait(job, demand);
    }
    this.#dropLate();
    if (this.#visitors.size === 0 && this.#findSlot(mayQueue)) return this.#start(job, demand);
    if (!mayQueue || !this.#makeRoom()) return Promise.reject(overloaded(job));
    return this.#wait(job, demand);
  }

  /** Resolves when renders can start. Never rejects. */
  ready(): Promise<void> {
    return this.#renderer.ready();
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }

  #wait(job: RenderJob, demand: Demand): Promise<Rendered | undefined> {
    const sinceMs = performance.now();
    return new Promise((resolve, reject) => {
      const start = platform.bindToContext(() => {
        resolve(this.#start(job, demand, sinceMs));
      });
      const dropAtMs = this.#dropAtMs(demand, sinceMs);
      this.#enqueue({ job, demand, sinceMs, dropAtMs, start, reject, dequeue: nothing });
      this.#publishQueue();
      // A job that cannot end in time is rejected at once.
      this.#startNext();
      this.#poll();
    });
  }

  #enqueue(queued: QueuedJob): void {
    const { demand, job, reject } = queued;
    const isVisitors = demand.hasWaiters;
    const line = isVisitors ? this.#visitors : this.#background;
    const entry = line.add(queued);
    queued.dequeue = () => {
      line.delete(entry);
      demand.onChange(undefined);
    };
    demand.onChange(() => {
      if (demand.hasWaiters === isVisitors) return;
      queued.dequeue();
      if (demand.isOver) reject(overloaded(job));
      else {
        // A request has joined a refresh, or the last request has left one.
        const dropAtMs = this.#dropAtMs(demand, performance.now());
        this.#enqueue({ ...queued, dropAtMs });
      }
      this.#startNext();
      this.#publishQueue();
    });
  }

  #reject(queued: QueuedJob): void {
    queued.dequeue();
    queued.reject(overloaded(queued.job));
  }

  /**
   * While the newest goes first, a request that has waited long is rejected early: its turn would not come.
   */
  #dropAtMs({ deadlineAtMs, hasWaiters }: Demand, nowMs: number): number {
    if (!hasWaiters) return deadlineAtMs;
    const latestMs = deadlineAtMs - this.#durationMs;
    if (!this.#isNewestFirst) return latestMs;
    return Math.min(latestMs, nowMs + (deadlineAtMs - nowMs) * SPARE_SHARE);
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

  /** While the newest goes first, a full queue rejects its oldest job. */
  #makeRoom(): boolean {
    const { maxQueued } = this.#options;
    if (this.#visitors.size < maxQueued) return true;
    const { oldest } = this.#visitors;
    if (!this.#isNewestFirst || oldest === undefined) return false;
    this.#reject(oldest);
    return true;
  }

  /** A job that may not be queued can use every slot: the limit is lowered for the queue only. */
  #findSlot(mayQueue = true): boolean {
    if (!mayQueue) return this.#running < this.#options.concurrency;
    return this.#running < this.#limit.current || this.#limit.addSlot();
  }

  /** Polls while a limit is lowered: it may rise although no render starts or ends. */
  #poll(): void {
    if (this.#timer !== undefined || this.queued === 0 || !this.#limit.isLowered) return;
    this.#timer = unref(
      setTimeout(() => {
        this.#timer = undefined;
        this.#startNext();
        this.#poll();
      }, POLL_EVERY_MS),
    );
  }

  /** With more than one slot, one stays free for the next request. If that is the last one, a slot is added. */
  #hasBackgroundSlot(): boolean {
    if (this.#visitors.size > 0 || this.#runningBackground >= this.#maxBackground) return false;
    if (this.#running === 0 || this.#running < this.#limit.current - 1) return true;
    return this.#running < this.#limit.current && this.#limit.addSlot();
  }

  #publishQueue(): void {
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
    this.#publishQueue();
    const named = { ...job, render: {} };
    const end = publishRender(named, sinceMs - waitedSinceMs);
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      const { timeoutMs } = this.#options;
      timer = unref(
        setTimeout(() => {
          const message = `${job.name} timed out: its render took longer than ${timeoutMs} ms (render.timeoutMs)`;
          reject(new SsrError('NG_SSR_RENDER_TIMEOUT', message));
          controller.abort();
        }, timeoutMs),
      );
    });
    try {
      const ending = this.#renderAfterConnections(named, demand, controller.signal);
      const { rendered, hasPending } = await Promise.race([ending, timeout]);
      this.#note(performance.now() - sinceMs);
      if (!isBackground) {
        const hasQueue = hasPending || this.#visitors.size > 0;
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
      this.#publishQueue();
    }
  }

  #note(durationMs: number): void {
    const earlier = this.#durationMs;
    this.#durationMs = earlier === 0 ? durationMs : earlier + (durationMs - earlier) * WEIGHT;
  }

  /** Connections that are not yet accepted count as queued requests. */
  async #renderAfterConnections(
    job: RenderJob,
    demand: Demand,
    signal: AbortSignal,
  ): Promise<{ readonly rendered: Rendered | undefined; readonly hasPending: boolean }> {
    const hasPending = (await this.#renderer.admitConnections?.()) ?? false;
    // Only now is it known whether the client has disconnected.
    if (demand.isOver || signal.aborted) throw overloaded(job);
    return { rendered: await this.#renderer.render(job, signal), hasPending };
  }

  #startNext(): void {
    this.#dropLate();
    for (let next; (next = this.#next()) !== undefined && this.#findSlot();) {
      if (performance.now() >= next.dropAtMs) {
        this.#reject(next);
        continue;
      }
      next.dequeue();
      next.start();
    }
    if (this.#visitors.size === 0) this.#isNewestFirst = false;
    for (let next; (next = this.#background.oldest) !== undefined;) {
      if (!this.#hasBackgroundSlot()) break;
      next.dequeue();
      next.start();
    }
  }

  #next(): QueuedJob | undefined {
    const { oldest, newest } = this.#visitors;
    if (oldest === undefined || newest === undefined) return undefined;
    const nowMs = performance.now();
    const spareMs = (oldest.demand.deadlineAtMs - oldest.sinceMs) * SPARE_SHARE;
    if (nowMs + spareMs >= oldest.dropAtMs) this.#isNewestFirst = true;
    return this.#isNewestFirst ? newest : oldest;
  }
}

const starts = channelOf('ng-ssr:render:start');
const ends = channelOf('ng-ssr:render:end');
const queues = channelOf('ng-ssr:queue');

/** Publishes the start of a render; the function that it returns publishes the end. */
function publishRender(
  { name, request, render }: RenderJob & { readonly render: object },
  queuedMs: number,
): (status: number | undefined, error: SsrError | undefined) => void {
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
  const reason =
    'the render queue had no place for it in time (render.concurrency, render.maxQueued)';
  return new SsrError('NG_SSR_OVERLOADED', `${name} was not rendered: ${reason}`);
}
