import type { SsrError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Rendered } from '../render/render-whole.ts';
import type { Terms } from '../render/scheduler.ts';
import type { AskedPage } from './asked-page.ts';
import type { HeldPage } from './held-page.ts';
import type { Reason } from './may-store.ts';

/** One page to be rendered: all of the request that its render will need. */
export interface Flight {
  readonly key: string;
  readonly asked: AskedPage;
  readonly exchange: Exchange;
  readonly request: Request;
  readonly requestContext: unknown;
  readonly terms: Terms;
}

/** What a flight brings for everybody who waits for it. */
export type Outcome =
  /** The page is in memory now. */
  | {
      readonly kind: 'stored';
      readonly key: string;
      readonly held: HeldPage;
      readonly isRendered: boolean;
    }
  /** It is for the one who led the flight. */
  | { readonly kind: 'unshared'; readonly rendered: Rendered; readonly reason: Reason }
  /** Other processes know that it is for one reader alone: each renders its own. */
  | { readonly kind: 'apart' }
  /** The path is not the application's. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'failed'; readonly error: SsrError };

/** Whether the render itself went wrong: by exception, by its own status, or with errors left over. */
export function isFailure(outcome: Outcome): boolean {
  if (outcome.kind !== 'unshared') return outcome.kind === 'failed';
  const { response, hasErrors = false } = outcome.rendered;
  return response.status >= 500 || hasErrors;
}
