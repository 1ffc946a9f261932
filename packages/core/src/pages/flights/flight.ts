import type { SsrError } from '../../errors.ts';
import type { Exchange } from '../../exchange.ts';
import type { RenderJob } from '../../render/render-job.ts';
import type { ChainLink } from '../../render/call-chain.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { Terms } from '../../render/demand.ts';
import type { PageTarget } from '../key/page-target.ts';
import type { CachedPage } from '../memory/cached-page.ts';
import type { Reason } from '../policy/may-store.ts';

/** A page to render, with all that its render needs of the request. */
export interface Flight {
  readonly key: string;
  /** The key without the values of one variant. */
  readonly primaryKey: string;
  readonly asked: PageTarget;
  readonly exchange: Exchange;
  readonly asksNotToStore: boolean;
  /** Method and target, for messages. */
  readonly name: string;
  readonly request: Request;
  readonly requestContext: unknown;
  readonly terms: Terms;
  readonly onCalls: RenderJob['onCalls'];
  /** The pages and calls in process that wait for the page; undefined for a client's request. */
  readonly chain: readonly ChainLink[] | undefined;
}

/** The result of a flight, for every request that waits for it. */
export type Outcome =
  /** The page is in memory now. */
  | {
      readonly kind: 'stored';
      readonly key: string;
      readonly held: CachedPage;
      readonly isRendered: boolean;
      /** Resolves when the tier has the page. Never rejects. */
      readonly shared?: Promise<void> | undefined;
    }
  /** The page is not stored. Only the leader answers with it, except failures of shared routes. */
  | { readonly kind: 'unshared'; readonly rendered: Rendered; readonly reason: Reason }
  /** The shared store says that the page cannot be shared: each request renders its own. */
  | { readonly kind: 'apart' }
  /** The engine returned null: the path is not the application's. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'failed'; readonly error: SsrError };

/** Whether a page was not stored because of the calls that it was made of, and other clients may get it all the same. */
export function isOfCalls(outcome: Outcome): boolean {
  const isDueToCalls = outcome.kind === 'unshared' && outcome.reason === 'calls';
  return isDueToCalls && !isOfOneClientsCall(outcome);
}

/** Whether a page was made of a response that no other client may get. */
export function isOfOneClientsCall(outcome: Outcome): boolean {
  if (outcome.kind !== 'unshared' || outcome.reason !== 'calls') return false;
  return outcome.rendered.calls?.provenance?.isShareable === false;
}

/** Whether the render itself failed: by exception, by a status of 500 or more, or with unhandled errors. */
export function isFailure(outcome: Outcome): boolean {
  if (outcome.kind !== 'unshared') return outcome.kind === 'failed';
  const { response, hasErrors = false } = outcome.rendered;
  return response.status >= 500 || hasErrors;
}

/** Whether a refresh has failed. A 401 or 407 says only that the refresh had no credentials. */
export function isRefreshFailure(outcome: Outcome): boolean {
  if (isFailure(outcome)) return true;
  return outcome.kind === 'unshared' && UNAUTHORIZED.has(outcome.rendered.response.status);
}

const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 407]);
