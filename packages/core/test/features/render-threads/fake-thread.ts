import type { RenderTask } from '../../../src/features/render-threads/render-task.ts';
import type { RenderWorker } from '../../../src/features/render-threads/render-worker.ts';

/** A thread that renders nothing by itself: a spec settles its renders. */
export class FakeThread {
  readonly tasks: RenderTask[] = [];
  answered = 0;
  silentMs = 0;
  isBlocked = false;
  hasTimedOut = false;
  pings = 0;
  ends = 0;

  get load(): number {
    return this.tasks.length;
  }

  get hasOnlyRetries(): boolean {
    return this.load > 0 && this.tasks.every(({ isRetry }) => isRetry);
  }

  /** The names of its renders. */
  get names(): string[] {
    return this.tasks.map(({ job }) => job.name);
  }

  has(task: RenderTask): boolean {
    return this.tasks.includes(task);
  }

  render(task: RenderTask): void {
    this.tasks.push(task);
  }

  expire(task: RenderTask): void {
    this.tasks.splice(this.tasks.indexOf(task), 1);
    this.hasTimedOut = true;
  }

  /** As if it had begun none of them. */
  withdraw(): RenderTask[] {
    return this.tasks.splice(0);
  }

  ping(): void {
    this.pings++;
  }

  readMessages(): void {}

  end(): Promise<void> {
    this.ends++;
    return Promise.resolve();
  }

  /** Answers its oldest render: the path is not the application's. */
  answer(): void {
    this.answered++;
    this.tasks.shift()!.resolve(undefined);
  }
}

export function asWorker(thread: FakeThread): RenderWorker {
  return thread as unknown as RenderWorker;
}
