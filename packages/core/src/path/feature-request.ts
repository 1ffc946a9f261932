import type { Exchange } from '../exchange.ts';

/** A request as features see it. */
export interface FeatureRequest {
  readonly method: string;
  /** The request target as it stood on the request line: a path with its query. `*` and what is malformed are not answered. */
  readonly target: string;
  /** The path of the target as it was sent, with its escapes and without the query. */
  readonly path: string;
  /** The origin of the site that is asked, by Host and what a trusted proxy says; empty for a host that is not allowed. */
  readonly origin: string;
  /** The request itself: its headers and its content. */
  readonly exchange: Exchange;
}
