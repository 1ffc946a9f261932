import { type Directives, readDirectives, secondsOf } from '../../../http/cache-control.ts';
import type { CallRequest } from '../call-request.ts';

/** What a call says of the use of stored responses (RFC 9111 section 5.2.1, Fetch Standard "cache mode"). */
export interface RequestDirectives {
  readonly mayUse: boolean;
  readonly mayStore: boolean;
  readonly isValidated: boolean;
  /** The oldest response that it takes, in seconds. */
  readonly maxAge: number | undefined;
  /** For how long a response must still be fresh, in seconds. */
  readonly minFresh: number;
}

/** With one of these the caller has a copy or wants a part, and gets the API's own answer. */
const OF_THE_CALLER = [
  ...['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
];

/** Reads the cache mode, Cache-Control and Pragma of a call. `max-stale` and `only-if-cached` are ignored. */
export function readRequestDirectives({ headers, cache }: CallRequest): RequestDirectives {
  const header = headers.get('cache-control');
  const directives: Directives = readDirectives(header ?? '');
  const isPragma = header === null && readDirectives(headers.get('pragma') ?? '').has('no-cache');
  const isBypass =
    cache === 'no-store' ||
    directives.has('no-store') ||
    OF_THE_CALLER.some((name) => headers.has(name));
  return {
    mayUse: !isBypass && cache !== 'reload',
    mayStore: !isBypass,
    isValidated: cache === 'no-cache' || directives.has('no-cache') || isPragma,
    maxAge: secondsOf(directives, 'max-age'),
    minFresh: secondsOf(directives, 'min-fresh') ?? 0,
  };
}
