import { SsrError } from '../errors.ts';
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
  readonly resolve: (rendered: Promise<Rendered | undefined>) => void;
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
    if (!mayQueue || this.#waiting.size >= this.#options.maxQueued) {
      return Promise.reject(overloaded(job));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.add({ job, deadlineAtMs, resolve, reject });
    });
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }

  async #start(job: RenderJob): Promise<Rendered | undefined> {
    this.#running++;
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
      return await Promise.race([this.#renderer.render(job, controller.signal), timeout]);
    } finally {
      clearTimeout(timer);
      this.#running--;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (this.isSaturated) return;
      this.#waiting.delete(waiting);
      if (Date.now() < waiting.deadlineAtMs) waiting.resolve(this.#start(waiting.job));
      else waiting.reject(overloaded(waiting.job));
    }
  }
}

function overloaded({ name }: RenderJob): SsrError {
  return new SsrError('NG_SSR_OVERLOADED', `${name} was not rendered: too many renders wait`);
}
