import type { CallMaker } from './call.ts';
import type { CallsMade } from './calls-made.ts';
import type { ChainLink } from './call-chain.ts';

/** One page to be rendered. */
export interface RenderJob {
  readonly request: Request;
  /** What components inject as Angular's `REQUEST_CONTEXT`. */
  readonly requestContext: unknown;
  /**
   * Whether the page is shared by clients: then it is rendered in the async context of the server's start,
   * where no request's store (AsyncLocalStorage) can be read.
   */
  readonly isShared: boolean;
  /** Method and target, for messages. */
  readonly name: string;
  /** Names the render in events: the same object in all of them. */
  readonly render?: object;
  /** The pages and calls in process that wait for the page; undefined for a client's request. */
  readonly chain?: readonly ChainLink[] | undefined;
  /** Makes the calls of the render; undefined leaves them to the runtime's `fetch`. */
  readonly calls?: CallMaker | undefined;
  /** Called when the render has ended, with the calls that it has made; not called without the feature `calls`. */
  readonly onCalls?: ((made: CallsMade) => void) | undefined;
}
