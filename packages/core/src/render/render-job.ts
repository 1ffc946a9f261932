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
}
