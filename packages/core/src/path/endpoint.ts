import type { Answer } from '../exchange.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { Said } from './substitute.ts';

/** A path that the server itself answers, with every method, for requests to allowed hosts. */
export interface Endpoint {
  /** Whether a request is for it. Called with every request that is no hit. Must not throw. */
  matches(request: ParsedRequest): boolean;
  /** Answers a request that {@link matches}. What it throws is answered as a failure, and reported. */
  answer(request: ParsedRequest): Promise<Answer>;
  /** What explain says of a GET that {@link matches}. */
  says(request: ParsedRequest): Said;
}
