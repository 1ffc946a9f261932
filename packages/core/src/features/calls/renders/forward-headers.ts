import { refusedHeaders } from '../../../render/guarded-request.ts';
import type { Call } from '../../../render/call.ts';
import { isOrdinary } from '../rules/ordinary-headers.ts';

/** What a call gets of the request that causes the render. */
export interface Forwarding {
  /** Names of the headers that the call has got. */
  readonly forwarded: readonly string[];
  /** The same, with the names of headers that it would have got if the request had them: the page depends on them. */
  readonly names: readonly string[];
  /** Names of headers that the call has not got, although the request has them: it does not ask for credentials. */
  readonly withheld: readonly string[];
}

/**
 * Adds the headers of the page's request that a rule forwards, and that the call does not have itself. Headers that may tell who
 * the visitor is are only for calls that ask for credentials: the async context of a call that batches those of several
 * renders is that of one of them.
 *
 * The request of a shared page has only the headers of its key, and refuses to show others while it is developed.
 *
 * @param listed - `forward` of the rule.
 */
export function forwardHeaders(
  listed: readonly string[],
  request: Request,
  { headers, isCredentialed }: Call,
): Forwarding {
  const refused = refusedHeaders(request);
  const forwarded: string[] = [];
  const names: string[] = [];
  const withheld: string[] = [];
  for (const name of listed) {
    if (headers.has(name)) continue;
    const isAllowed = isCredentialed || isOrdinary(name);
    if (isAllowed) names.push(name);
    const value = refused.includes(name) ? null : request.headers.get(name);
    if (value === null) continue;
    if (!isAllowed) {
      withheld.push(name);
      continue;
    }
    headers.set(name, value);
    forwarded.push(name);
  }
  return { forwarded, names, withheld };
}
