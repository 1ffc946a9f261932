import type { Answer } from '../exchange.ts';
import type { Waiter } from '../render/demand.ts';
import type { Fallback } from '../render/render-options.ts';
import type { StoredPages } from './stored-pages.ts';
import type { Visit } from './visit.ts';

/** How long a request waits, and its fallbacks. */
export interface Patience {
  readonly waiter: Waiter;
  readonly fallbacks: readonly Fallback[];
  /** Whether the request is the server's own: those of clients come first. */
  readonly isBackground: boolean;
}

/** The rendered pages of a server, stored or not. */
export interface Pages extends StoredPages {
  /** The stored page for a request, if it can be sent without starting a render. Synchronous. */
  find(visit: Visit): Answer | undefined;
  /**
   * Answers with a stored page, or renders.
   *
   * @param visit - Of a GET.
   * @returns undefined if the engine returns null: the path is not the application's.
   * @throws SsrError as a Scheduler does.
   */
  answer(visit: Visit, requestContext: unknown, patience: Patience): Promise<Answer | undefined>;
  /** A stale page that may be used if its render fails or is too late (RFC 5861 section 4). */
  findStale(visit: Visit): Answer | undefined;
  /** Removes the pages of a target's path. Never throws. */
  invalidate(target: string): void;
  close(): Promise<void>;
}
