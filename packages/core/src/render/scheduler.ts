import { AsyncResource } from 'node:async_hooks';
import { SsrError } from '../errors.ts';
import { channelOf } from '../telemetry/channels.ts';
import type { Demand } from './demand.ts';
import { Pace } from './pace.ts';
import type { Rendered } from './render-whole.ts';
import type { Renderer, RenderJob } from './renderer.ts';
import { WaitingLine } from './waiting-line.ts';

/** What a job may ask of the scheduler. */
export interface Terms {
  /** Whether it may wait for others to end. */
  readonly mayQueue: boolean;
  /** Who waits for it. */
  readonly demand: Demand;
}

interface Waiting {
  readonly job: RenderJob;
  readonly demand: Demand;
  readonly sinceMs: number;
  /** Not to be begun from this time on, by `performance.now()`. */
  readonly dropAtMs: number;
  /** Starts it in the async context of the request that waits, not of the one that has ended. */
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

/** Renders of the server's own that wait. */
const MOST_BACKGROUND = 256;
/** The part of all renders that may be of the server's own. */
const BACKGROUND_PART = 1 / 4;
/** The part of a request's time that is left when the oldest no longer comes first. */
const SPARE_PART = 1 / 4;

/**
 * Step 5: so many renders at a time, so many that wait, and none that keeps its place for ever. A
 * render that goes on past its deadline keeps its place until it ends or is given up.
 *
 * The oldest request comes first as long as that is in time. When it is not, more is asked for than can
 * be rendered, and oldest first would start each render just too late: the newest comes first then, until
 * nobody waits (adaptive LIFO: B. Maurer, "Fail at Scale", ACM Queue 13(8), 2015). Who cannot have a page
 * in time, as renders have lately taken, is told so at once. Refreshes and prewarming come after all
 * requests, and leave places.
 */
export class Scheduler {
  readonly #renderer: Renderer;
  readonly #options: SchedulerOptions;
  readonly #pace = new Pace();
  readonly #visitors = new WaitingLine<Waiting>();
  readonly #background = new WaitingLine<Waiting>();
  readonly #mostBackground: number;
  #running = 0;
  #runningBackground = 0;
  #isNewestFirst = false;

  constructor(renderer: Renderer, options: SchedulerOptions) {
    this.#renderer = renderer;
    this.#options = options;
    this.#mostBackground = Math.max(1, Math.floor(options.concurrency * BACKGROUND_PART));
  }

  /** Whether a render would have to wait. */
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
   * wait, cannot end in time, or nobody waits for it any more; `NG_SSR_RENDER_TIMEOUT` when it takes
   * too long.
   */
  render(job: RenderJob, { mayQueue, demand }: Terms): Promise<Rendered | undefined> {
    if (demand.isOver) return Promise.reject(overloaded(job));
    if (!demand.hasWaiters) {
      if (this.#hasPlaceInBackground()) return this.#start(job, demand);
      if (this.#background.size >= MOST_BACKGROUND) return Promise.reject(overloaded(job));
      return this.#wait(job, demand);
    }
    this.#dropLate();
    if (this.#visitors.size === 0 && this.#hasPlace) return this.#start(job, demand);
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
        resolve(this.#start(job, demand, performance.now() - sinceMs));
      });
      const dropAtMs = this.#dropAtMs(demand, sinceMs);
      this.#enqueue({ job, demand, sinceMs, dropAtMs, start, reject, leave: nothing });
      this.#tellQueue();
      // Who cannot end in time does not wait for that.
      this.#startNext();
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
        // A refresh that a request has come to wait for, or the reverse.
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

  /** While the newest comes first, nobody waits long for nothing. */
  #dropAtMs({ deadlineAtMs, hasWaiters }: Demand, nowMs: number): number {
    if (!hasWaiters) return deadlineAtMs;
    const latestMs = deadlineAtMs - this.#pace.durationMs;
    if (!this.#isNewestFirst) return latestMs;
    return Math.min(latestMs, nowMs + (deadlineAtMs - nowMs) * SPARE_PART);
  }

  /** Turns those away whose page would come too late, the oldest first. */
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

  /** In a full queue the oldest makes room, where the newest comes first. */
  #makeRoom(): boolean {
    const { maxQueued } = this.#options;
    if (this.#visitors.size < maxQueued) return true;
    const { oldest } = this.#visitors;
    if (!this.#isNewestFirst || oldest === undefined) return false;
    this.#reject(oldest);
    return true;
  }

  get #hasPlace(): boolean {
    return this.#running < this.#options.concurrency;
  }

  /** Places remain for requests that may come, where there is more than one. */
  #hasPlaceInBackground(): boolean {
    if (this.#visitors.size > 0 || this.#runningBackground >= this.#mostBackground) return false;
    return this.#running === 0 || this.#running < this.#options.concurrency - 1;
  }

  #tellQueue(): void {
    if (!queues.hasSubscribers) return;
    queues.publish({ queued: this.queued, running: this.#running });
  }

  async #start(job: RenderJob, demand: Demand, queuedMs = 0): Promise<Rendered | undefined> {
    const isBackground = !demand.hasWaiters;
    if (isBackground) this.#runningBackground++;
    this.#running++;
    const sinceMs = performance.now();
    this.#tellQueue();
    const end = tellRender(job, queuedMs);
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
      const rendered = await Promise.race([this.#renderer.render(job, controller.signal), timeout]);
      this.#pace.note(performance.now() - sinceMs);
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

  #startNext(): void {
    this.#dropLate();
    for (let next; (next = this.#next()) !== undefined && this.#hasPlace;) {
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

/** Tells whoever listens of a render, and gives what tells of its end. */
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
