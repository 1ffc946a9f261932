import type { Resource } from '../answers/resource.ts';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';

/**
 * Completes pages while they are sent: built ones, cached ones, and those that are rendered. A request that gets a
 * completed page is not answered synchronously.
 */
export interface PageCompletion {
  /**
   * Answers a request of its own, which is no page. Must not reject.
   *
   * @returns undefined (synchronous) for others.
   */
  answer?(
    request: ParsedRequest,
    requestContext: unknown,
  ): Promise<Answer | StreamedAnswer> | undefined;
  /**
   * The request for the page alone: for the whole of it, unconditional and unencoded. Other answers are made for the
   * `client` of it. Called for each request that a
   * page may answer, so it must be fast. Must not throw.
   *
   * @param held - The built file that the request asks for; undefined for others.
   * @returns undefined if the request gets the page as it is.
   */
  pageOf(request: ParsedRequest, held?: Resource): Exchange | undefined;
  /**
   * Completes the answer to the request of {@link pageOf}. Must not reject.
   *
   * @returns undefined if the answer is not a page: it is sent as it is.
   */
  complete(
    page: Answer,
    request: ParsedRequest,
    requestContext: unknown,
  ): Promise<StreamedAnswer | Answer | undefined>;
  /** What explain says of a request for a page: what completes it, and why not. Undefined if nothing can. */
  says(request: ParsedRequest, held?: Resource): string | undefined;
}
