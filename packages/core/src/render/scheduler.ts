import { AsyncResource } from 'node:async_hooks';
import { SsrError } from '../errors.ts';
import { channelOf } from '../telemetry/channels.ts';
import type { Rendered } from './render-whole.ts';
import type { Renderer, RenderJob } from './renderer.ts';

/** What a job may ask of the scheduler. */
export interface Terms {
  /** Whether it may wait for others to end. */
  readonly mayQueue: boolean;
  /** Behind this time (`Date.now()`) nobody waits for it, and it is not begun. */
  readonly deadlineAtMs: number;
}

interface Waiting {
  readonly job: RenderJob;
  readonly deadlineAtMs: number;
  /** Starts it in the async context of the request that waits, not of the one that has ended. */
  readonly start: () => void;
  readonly reject: (error: SsrError) => void;
}

/** The bounds of a {@link Scheduler}. */
export interface SchedulerOptions {
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly timeoutMs: number;
}

/**
 * Step 5: so many renders at a time, so many that wait, and none that keeps its place for ever. A
 * render that goes on behind its deadline keeps its place until it ends or is given up.
 */
export class Scheduler {
  readonly #renderer: Renderer;
  readonly #options: SchedulerOptions;
  /** In the order they came: a Set forgets its first in constant time. */
  readonly #waiting = new Set<Waiting>();
  /** No deadline of those who wait passes before (`Date.now()`). */
  #nextPassesAtMs = Number.POSITIVE_INFINITY;
  #running = 0;

  constructor(renderer: Renderer, options: SchedulerOptions) {
    this.#renderer = renderer;
    this.#options = options;
  }

  /** Whether a render would have to wait. */
  get isSaturated(): boolean {
    return this.#running >= this.#options.concurrency;
  }

  /** How many wait. */
  get queued(): number {
    return this.#waiting.size;
  }

  /** How many are under way. */
  get running(): number {
    return this.#running;
  }

  /**
   * Renders when it is this job's turn.
   *
   * @throws SsrError what a {@link Renderer} throws; `NG_SSR_OVERLOADED` when it may not or cannot
   * wait, or its deadline passes while it does; `NG_SSR_RENDER_TIMEOUT` when it takes too long.
   */
  render(job: RenderJob, { mayQueue, deadlineAtMs }: Terms): Promise<Rendered | undefined> {
    if (!this.isSaturated) return this.#start(job);
    if (!mayQueue || !this.#hasRoom()) return Promise.reject(overloaded(job));
    const sinceMs = performance.now();
    return new Promise((resolve, reject) => {
      const start = AsyncResource.bind(() => {
        resolve(this.#start(job, performance.now() - sinceMs));
      });
      this.#waiting.add({ job, deadlineAtMs, start, reject });
      this.#nextPassesAtMs = Math.min(this.#nextPassesAtMs, deadlineAtMs);
      this.#tellQueue();
    });
  }

  /** Resolves when renders can begin. Never rejects. */
  ready(): Promise<void> {
    return this.#renderer.ready();
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }

  /** A place in the queue that nobody waits in any more is free. */
  #hasRoom(): boolean {
    const { maxQueued } = this.#options;
    if (this.#waiting.size < maxQueued) return true;
    const nowMs = Date.now();
    if (nowMs < this.#nextPassesAtMs) return false;
    this.#nextPassesAtMs = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      const { deadlineAtMs, job, reject } = waiting;
      if (nowMs < deadlineAtMs) {
        this.#nextPassesAtMs = Math.min(this.#nextPassesAtMs, deadlineAtMs);
        continue;
      }
      this.#waiting.delete(waiting);
      reject(overloaded(job));
    }
    return this.#waiting.size < maxQueued;
  }

  #tellQueue(): void {
    if (!queues.hasSubscribers) return;
    queues.publish({ queued: this.#waiting.size, running: this.#running });
  }

  async #start(job: RenderJob, queuedMs = 0): Promise<Rendered | undefined> {
    this.#running++;
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
      end(rendered?.response.status, undefined);
      return rendered;
    } catch (error) {
      end(undefined, error as SsrError);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#running--;
      this.#startNext();
      this.#tellQueue();
    }
  }

  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (this.isSaturated) return;
      this.#waiting.delete(waiting);
      if (Date.now() < waiting.deadlineAtMs) waiting.start();
      else waiting.reject(overloaded(waiting.job));
    }
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

function overloaded({ name }: RenderJob): SsrError {
  return new SsrError('NG_SSR_OVERLOADED', `${name} was not rendered: too many renders wait`);
}
