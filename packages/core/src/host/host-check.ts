import { isPromise } from '../platform/is-promise.ts';

/**
 * Decides whether the server serves a host, such as the domain of a tenant.
 *
 * @param host - In lower case, without port and trailing dot; names in other scripts as `xn--`, IPv6 in brackets.
 */
export type HostCheck = (host: string) => boolean | Promise<boolean>;

/** A verdict on a host. */
export interface HostVerdict {
  readonly isAllowed: boolean;
  /** How long it holds, in milliseconds. */
  readonly forMs: number;
}

/** Returns a verdict, or a promise of one. Throws and rejects when there is none. */
export type HostJudge = (host: string) => HostVerdict | Promise<HostVerdict>;

/** How long an allowed host is remembered. */
const ALLOWED_MS = 60_000;
/** A host may be allowed soon after it was refused: a new tenant opens their page. */
const REFUSED_MS = 10_000;

/** A judge that calls a user's function. */
export function toHostJudge(check: HostCheck): HostJudge {
  return (host) => {
    const isAllowed: unknown = check(host);
    return isPromise(isAllowed) ? Promise.resolve(isAllowed).then(toVerdict) : toVerdict(isAllowed);
  };
}

/** @throws TypeError for anything but true and false: a row of a database, or undefined, is no verdict. */
function toVerdict(isAllowed: unknown): HostVerdict {
  if (typeof isAllowed !== 'boolean') {
    const value = isAllowed === null ? 'null' : `a value of type ${typeof isAllowed}`;
    throw new TypeError(`it returned ${value}; allowed: true, false, and a promise of these`);
  }
  return { isAllowed, forMs: isAllowed ? ALLOWED_MS : REFUSED_MS };
}
