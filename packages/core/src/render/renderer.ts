import type { Threads } from './concurrency-limit.ts';
import type { RenderJob } from './render-job.ts';
import type { Rendered } from './render-whole.ts';

/** Runs renders: on this thread, or on worker threads. */
export interface Renderer extends Threads {
  /**
   * Renders, and reads the body to its end.
   *
   * @param signal - Aborts when the render times out: it is ended where that is possible.
   * @returns undefined when the engine says that the path is not the application's.
   * @throws SsrError `NG_SSR_RENDER_FAILED`, `NG_SSR_BODY_FAILED`, `NG_SSR_WORKER_LOST`,
   * `NG_SSR_CONTEXT_NOT_CLONEABLE`
   */
  render(job: RenderJob, signal: AbortSignal): Promise<Rendered | undefined>;
  /**
   * Accepts the pending connections before a render starts on the main thread. Resolves with true when some
   * may still be pending; undefined if renders do not run on the main thread.
   */
  admitConnections?(): Promise<boolean> | undefined;
  /** Starts what renders need, as the first render would; resolves when it is ready. Never rejects. */
  ready(): Promise<void>;
  /** Ends what it has started. */
  close(): Promise<void>;
}
