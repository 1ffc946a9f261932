import type { SsrError } from '../../errors.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { RenderJob } from '../../render/render-job.ts';
import type { Renderer } from '../../render/renderer.ts';
import type {
  RenderThreadReport,
  ThreadBounds,
  ThreadedRenderer,
} from '../../render/render-threads.ts';
import type { ThreadTimes } from '../../render/utilisation.ts';
import { Autosize } from './autosize.ts';
import { Dispatcher } from './dispatcher.ts';
import { Supervisor, type SupervisorListener, type SupervisorOptions } from './supervisor.ts';
import { Watchdog } from './watchdog.ts';

/** Options of a {@link WorkerPool}. */
export interface WorkerPoolOptions extends Omit<SupervisorOptions, 'threads'> {
  readonly threads: ThreadBounds;
  /** Renders while no thread can be started. */
  readonly inProcess: Renderer;
  readonly onError: (error: SsrError) => void;
}

/** When one render ends, the next is already on the thread. */
const MIN_PER_THREAD = 2;
/** What one thread gets before it is known whether its renders compute or wait. */
const FIRST_PER_THREAD = 4;

/** Renders on worker threads, each of which runs the whole program. */
export class WorkerPool implements ThreadedRenderer {
  /** Undefined where all threads start at once. */
  readonly firstConcurrency: number | undefined;
  readonly #threads: ThreadBounds;
  readonly #inProcess: Renderer;
  readonly #supervisor: Supervisor;
  readonly #dispatcher: Dispatcher;
  readonly #autosize: Autosize | undefined;
  readonly #watchdog: Watchdog;

  constructor({ threads, inProcess, onError, ...options }: WorkerPoolOptions) {
    const { min, max } = threads;
    const isFixed = min === max;
    this.firstConcurrency = isFixed ? undefined : FIRST_PER_THREAD * min;
    this.#threads = threads;
    this.#inProcess = inProcess;
    const listener: SupervisorListener = {
      onChange: () => this.#dispatcher.dispatch(),
      onEnd: (ending) => this.#dispatcher.recover(ending),
      onError,
    };
    this.#supervisor = new Supervisor({ ...options, threads: min }, listener);
    this.#dispatcher = new Dispatcher(this.#supervisor, inProcess, onError);
    this.#autosize = isFixed
      ? undefined
      : new Autosize(threads, this.#supervisor, this.#dispatcher);
    this.#watchdog = new Watchdog(this.#supervisor, this.#dispatcher, () =>
      this.#autosize?.check(),
    );
  }

  get minConcurrency(): number {
    return MIN_PER_THREAD * Math.max(this.#threads.min, this.#supervisor.serving.length);
  }

  /** Resolves when a thread can render, or when it is certain that none can. */
  ready(): Promise<void> {
    this.#supervisor.start();
    return this.#supervisor.ready;
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Rendered | undefined> {
    this.#supervisor.start();
    const rendered = this.#dispatcher.render(job, signal);
    this.#watchdog.start();
    return rendered;
  }

  admitConnections(): Promise<boolean> | undefined {
    return this.#supervisor.isUnavailable ? this.#inProcess.admitConnections?.() : undefined;
  }

  /** The threads that have not ended. */
  report(): readonly RenderThreadReport[] {
    const serving = new Set(this.#supervisor.serving);
    return this.#supervisor.threads.map((worker) => {
      const { threadId, answered, isReady } = worker;
      const state = serving.has(worker) ? 'ready' : isReady ? 'ending' : 'starting';
      return { threadId, kind: 'render', state, done: answered };
    });
  }

  times(): ThreadTimes {
    if (this.#supervisor.isUnavailable) return this.#inProcess.times();
    let activeMs = 0;
    let idleMs = 0;
    for (const { times } of this.#supervisor.serving) {
      activeMs += times.activeMs;
      idleMs += times.idleMs;
    }
    return { activeMs, idleMs };
  }

  async close(): Promise<void> {
    this.#autosize?.stop();
    this.#supervisor.stop();
    await this.#dispatcher.close();
    await this.#supervisor.endAll();
  }
}
