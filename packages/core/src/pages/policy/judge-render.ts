import { freshSecondsOf } from '../../render/provenance.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { RouteRuleOptions } from '../options/cache-options.ts';
import { type Lifetime, mayStore, type Reason } from './may-store.ts';

/** What the request of a page decides about storing it. */
export interface AskedTerms {
  /** Whether the engine saw an Authorization header. */
  readonly hasAuthorization: boolean;
  readonly asksNotToStore: boolean;
}

/** Whether the page of a render may be stored, and for how long: its errors and calls decide before its headers. */
export function judgeRender(
  { response, hasErrors, calls }: Rendered,
  rule: RouteRuleOptions | undefined,
  nowMs: number,
  { hasAuthorization, asksNotToStore }: AskedTerms,
): Lifetime | Reason {
  if (hasErrors === true) return 'errors';
  const ofCalls = calls?.provenance;
  if (ofCalls?.isPersonal === true) return 'personal-call';
  if (calls?.hasLoop === true) return 'call-loop';
  if (asksNotToStore) return 'request-no-store';
  return mayStore(response, rule, hasAuthorization, nowMs, ofCalls && freshSecondsOf(ofCalls));
}
