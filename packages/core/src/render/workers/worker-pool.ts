import type { SsrError } from '../../errors.ts';
import type { Rendered } from '../render-whole.ts';
import type { RenderJob } from '../render-job.ts';
import type { Renderer } from '../renderer.ts';
import type { ThreadTimes } from '../thread-times.ts';
import { Dispatcher } from './dispatcher.ts';
import { Supervisor, type SupervisorOptions } from './supervisor.ts';
import { Watchdog } from './watchdog.ts';

/** Options of a {@link WorkerPool}. */
export interface WorkerPoolOptions extends SupervisorOptions {
  /** Renders while no thread can be started. */
  readonly inProcess: Renderer;
  readonly onError: (error: SsrError) => void;
}

/** Renders on worker threads, each of which runs the whole program. */
export class WorkerPool implements Renderer {
  /** Two per thread: when one render ends, the next is already on the thread. */
  readonly minConcurrency: number;
  readonly #inProcess: Renderer;
  readonly #supervisor: Supervisor;
  readonly #dispatcher: Dispatcher;
  readonly #watchdog: Watchdog;

  constructor({ inProcess, onError, ...options }: WorkerPoolOptions) {
    this.minConcurrency = 2 * options.workers;
    this.#inProcess = inProcess;
    this.#supervisor = new Supervisor(options, {
      onChange: () => this.#dispatcher.dispatch(),
      onEnd: (ending) => this.#dispatcher.recover(ending),
      onError,
    });
    this.#dispatcher = new Dispatcher(this.#supervisor, inProcess, onError);
    this.#watchdog = new Watchdog(this.#supervisor, this.#dispatcher);
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
    this.#supervisor.stop();
    await this.#dispatcher.close();
    await this.#supervisor.endAll();
  }
}
