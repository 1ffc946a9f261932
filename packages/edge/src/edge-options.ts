import {
  check,
  group,
  milliseconds,
  type Option,
  type Table,
  withDefault,
} from '@ng-ssr/core/adapter';

/** Options of all edges. */
export interface EdgeOptions {
  /**
   * Each purge is repeated after this time, for responses that were on their way to the CDN; 0 turns it off. Default:
   * 1000.
   */
  readonly settleMs?: number | undefined;
  /** Time for one request to the CDN. Default: 5000. */
  readonly timeoutMs?: number | undefined;
  /** Time for a purge with all retries. Default: 20,000. */
  readonly deadlineMs?: number | undefined;
}

/** Limits of requests to an edge, with every default filled in. */
export interface Limits {
  readonly settleMs: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
}

const LIMITS: Table<Limits> = {
  settleMs: withDefault(milliseconds(0), 1000),
  timeoutMs: withDefault(milliseconds(1), 5000),
  deadlineMs: withDefault(milliseconds(1), 20_000),
};

/**
 * Checks the options of an edge: its own and those that all edges have.
 *
 * @param factory - The function that takes them, for messages.
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveEdge<Own extends object>(
  factory: string,
  options: EdgeOptions,
  own: Table<Own>,
): Own & Limits {
  const isObject = typeof options === 'object' && options !== null;
  check(`${factory}()`, options, isObject, 'an object of options');
  const table = { ...own, ...LIMITS } as Table<Own & Limits>;
  return group<Own & Limits>(table)(factory, options);
}

/**
 * The options without a value, such as `fastlyEdge.token`: a variable with a secret may not be set while `ng build`
 * runs the server.
 */
export function missingOptions(edge: string, options: object): readonly string[] {
  return Object.entries(options)
    .filter(([, value]) => isMissing(value))
    .map(([name]) => `${edge}.${name}`);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === '';
}

/** A secret, which no message shows. It may be missing: see {@link missingOptions}. */
export const secret: Option<string | undefined> = (name, given) => {
  const isSecret = typeof given === 'string' && /^[!-~]+$/.test(given);
  const shown = typeof given === 'string' ? '…' : given;
  const allowed = 'a string of visible ASCII, without spaces';
  check(name, shown, isMissing(given) || isSecret, allowed);
  return given as string | undefined;
};

/** The name of a service, zone or site, which becomes a part of a URL. It may be missing. */
export const id: Option<string | undefined> = (name, given) => {
  const isId = isMissing(given) || (typeof given === 'string' && /^[\w.-]+$/.test(given));
  check(name, given, isId, 'letters, digits, "-", "_" and "."');
  return given as string | undefined;
};

/** An HTTP URL without a slash at its end, and without credentials, query and fragment. */
export const url: Option<string> = (name, given) => {
  const parsed = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isUrl =
    parsed !== undefined &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.username + parsed.password === '' &&
    // An empty query or fragment is in none of the parts.
    !/[?#]/.test(parsed.href);
  // It may hold a password.
  const shown = typeof given === 'string' && given.includes('@') ? '…' : given;
  const allowed = 'a URL such as "http://127.0.0.1:6081", without user, query and fragment';
  check(name, shown, isUrl, allowed);
  return parsed!.href.replace(/\/$/, '');
};
