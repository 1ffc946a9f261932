import type { Answer } from '../exchange.ts';
import type { FeatureRequest } from './feature-request.ts';
import type { Said } from './substitute.ts';

/** A path that the server itself answers, with every method, for requests to allowed hosts. */
export interface Endpoint {
  /**
   * Where it is, for frameworks that look for a route before the server is asked: under Fastify only an endpoint with
   * this member gets POST, others GET and HEAD alone. Default: not said.
   */
  readonly route?: EndpointRoute;
  /** Whether a request is for it. Called with every request that is no hit. Must not throw. */
  matches(request: FeatureRequest): boolean;
  /** Answers a request that {@link matches}. What it throws is answered as a failure, and reported. */
  answer(request: FeatureRequest): Promise<Answer>;
  /** What explain says of a GET that {@link matches}. */
  says(request: FeatureRequest): Said;
}

/** The paths of an endpoint. */
export interface EndpointRoute {
  /** The option that says the path, for messages: `ops.path`. */
  readonly option: string;
  /** From "/", without a query and a "/" at its end. */
  readonly path: string;
  /** Whether all paths below it are the endpoint's, too. Default: false. */
  readonly hasPathsBelow?: boolean;
}
