import type { Rendered } from './render-whole.ts';
import type { ThreadTimes } from './thread-times.ts';

/** One page to be rendered. */
export interface RenderJob {
  readonly request: Request;
  /** What components inject as Angular's `REQUEST_CONTEXT`. */
  readonly requestContext: unknown;
  /**
   * Whether anybody may have the page: then it is rendered in the async context of the server's
   * start, where no store of a visitor's (AsyncLocalStorage) can be read.
   */
  readonly isShared: boolean;
  /** Method and target, for messages. */
  readonly name: string;
}

/** Where renders run: on this thread, or on threads of their own. */
export interface Renderer {
  /**
   * Renders, and reads the body to its end.
   *
   * @param signal - Aborts when the render is given up: it is ended where that is possible.
   * @returns undefined when the engine says that the path is not the application's.
   * @throws SsrError `NG_SSR_RENDER_FAILED`, `NG_SSR_BODY_FAILED`, `NG_SSR_WORKER_LOST`,
   * `NG_SSR_CONTEXT_NOT_CLONEABLE`
   */
  render(job: RenderJob, signal: AbortSignal): Promise<Rendered | undefined>;
  /**
   * Before a render begins on the thread that serves: lets in the connections that wait. Resolves with
   * true when some may still wait; undefined where renders do not run on that thread.
   */
  admitConnections?(): Promise<boolean> | undefined;
  /** Renders at a time that keep its threads busy, where they compute. */
  readonly leastPlaces: number;
  /** The times of all threads that render now. */
  times(): ThreadTimes;
  /** Starts what renders need, as the first render does; resolves when it is there. Never rejects. */
  ready(): Promise<void>;
  /** Ends what it has started. */
  close(): Promise<void>;
}
