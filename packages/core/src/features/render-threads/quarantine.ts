import type { RenderTask } from './render-task.ts';
import type { RenderWorker } from './render-worker.ts';
import type { Supervisor } from './supervisor.ts';

/**
 * Retries the renders of lost threads one at a time, each alone on its thread: one of them may have ended the
 * thread, and would end the others a second time.
 */
export class Quarantine {
  readonly #supervisor: Pick<Supervisor, 'serving' | 'hasVacancy'>;
  readonly #suspects = new Set<RenderTask>();
  #worker: RenderWorker | undefined;

  constructor(supervisor: Pick<Supervisor, 'serving' | 'hasVacancy'>) {
    this.#supervisor = supervisor;
  }

  /** The thread that renders the suspects, and nothing else meanwhile; undefined once it is replaced. */
  get worker(): RenderWorker | undefined {
    const worker = this.#worker;
    return worker && this.#supervisor.serving.includes(worker) ? worker : undefined;
  }

  add(task: RenderTask): void {
    this.#suspects.add(task);
  }

  /** Whether the render was waiting here. */
  delete(task: RenderTask): boolean {
    return this.#suspects.delete(task);
  }

  /** Removes all renders that wait. */
  takeAll(): RenderTask[] {
    const tasks = [...this.#suspects];
    this.#suspects.clear();
    return tasks;
  }

  /** The next suspects have another thread, although this one still renders one of them. */
  release(worker: RenderWorker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }

  /**
   * Sends the next suspect, once the earlier one has ended.
   *
   * @param leastLoaded - The thread to take if none is new.
   */
  dispatch(
    send: (worker: RenderWorker, task: RenderTask) => void,
    leastLoaded: () => RenderWorker | undefined,
  ): void {
    this.#worker = this.worker;
    if (this.#suspects.size === 0 && this.#worker?.load === 0) this.#worker = undefined;
    for (const task of this.#suspects) {
      this.#worker ??= this.#choose(leastLoaded);
      if (this.#worker?.load !== 0) return;
      this.#suspects.delete(task);
      send(this.#worker, task);
    }
  }

  /** A thread that has not rendered yet is the best choice: it has no other renders to lose. */
  #choose(leastLoaded: () => RenderWorker | undefined): RenderWorker | undefined {
    const isNew = ({ answered, load }: RenderWorker): boolean => answered === 0 && load === 0;
    const { serving, hasVacancy } = this.#supervisor;
    return serving.find(isNew) ?? (hasVacancy ? undefined : leastLoaded());
  }
}
