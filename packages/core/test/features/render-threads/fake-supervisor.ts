import type { Ending, RenderWorker } from '../../../src/features/render-threads/render-worker.ts';
import type { SupervisedThreads } from '../../../src/features/render-threads/dispatcher.ts';
import { asWorker, type FakeThread } from './fake-thread.ts';

/** A supervisor of fake threads that notes which are replaced, and starts none. */
export class FakeSupervisor implements SupervisedThreads {
  readonly replaced: [thread: RenderWorker, reason: string][] = [];
  readonly fakes: FakeThread[];
  hasVacancy = false;
  isUnavailable = false;

  constructor(...fakes: FakeThread[]) {
    this.fakes = fakes;
  }

  get serving(): RenderWorker[] {
    return this.fakes.map(asWorker);
  }

  get threads(): RenderWorker[] {
    return this.serving;
  }

  replace(worker: RenderWorker, reason: string): void {
    this.replaced.push([worker, reason]);
  }

  endIfDrained(): void {}

  /** Takes a thread away that has begun all its renders. */
  lose(thread: FakeThread): Ending {
    this.fakes.splice(this.fakes.indexOf(thread), 1);
    const begun = thread.tasks.splice(0);
    const reason = 'it exited with code 7';
    const rest = { unbegun: [], isRequested: false, hasNoHandler: false };
    return { reason, cause: undefined, begun, ...rest };
  }
}
