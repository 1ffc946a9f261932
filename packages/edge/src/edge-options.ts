import { assertKnownOptions, check } from '@ng-ssr/core/adapter';

/** Options that all edges have. */
export interface EdgeOptions {
  /**
   * How long after a purge the same purge is sent once more: answers that left this server before the first one have
   * arrived at the edge by then. In milliseconds; default 1000. 0: never, and such an answer may stay at the edge for
   * as long as it is fresh.
   */
  readonly settleMs?: number | undefined;
  /** How long one request to the edge may take. In milliseconds; default 5000. */
  readonly timeoutMs?: number | undefined;
  /** How long a purge may take with all its retries, 29 at most. In milliseconds; default 20 000. */
  readonly deadlineMs?: number | undefined;
}

/** Limits of requests to an edge, with every default filled in. */
export interface Limits {
  readonly settleMs: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
}

const LIMITS: readonly string[] = [
  'settleMs',
  'timeoutMs',
  'deadlineMs',
] satisfies readonly (keyof EdgeOptions)[];

/** The longest delay that timers accept. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Checks the options that all edges have, and the names of the others.
 *
 * @param factory - The function that takes them, for messages.
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveLimits(
  factory: string,
  options: EdgeOptions,
  others: readonly string[],
): Limits {
  const isObject = typeof options === 'object' && options !== null;
  check(`${factory}()`, options, isObject, 'an object of options');
  assertKnownOptions(options, [...others, ...LIMITS], factory);
  const { settleMs = 1000, timeoutMs = 5000, deadlineMs = 20_000 } = options;
  checkMs(`${factory}.settleMs`, settleMs, 0);
  checkMs(`${factory}.timeoutMs`, timeoutMs, 1);
  checkMs(`${factory}.deadlineMs`, deadlineMs, 1);
  return { settleMs, timeoutMs, deadlineMs };
}

function checkMs(name: string, ms: unknown, least: number): void {
  const isTime = Number.isInteger(ms) && (ms as number) >= least && (ms as number) <= MOST_MS;
  check(name, ms, isTime, `a whole number of milliseconds, ${least} or more`);
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

/** Checks a secret, which no message shows, unless it is missing. */
export function checkSecret(name: string, secret: unknown): void {
  if (isMissing(secret)) return;
  const isSecret = typeof secret === 'string' && /^[!-~]+$/.test(secret);
  const shown = typeof secret === 'string' ? '…' : secret;
  check(name, shown, isSecret, 'a string of visible ASCII, without spaces');
}

/** Checks the name of a service, zone or site, which becomes a part of a URL, unless it is missing. */
export function checkId(name: string, id: unknown): void {
  if (isMissing(id)) return;
  check(
    name,
    id,
    typeof id === 'string' && /^[\w.-]+$/.test(id),
    'letters, digits, "-", "_" and "."',
  );
}

/**
 * An HTTP URL without a slash at its end, and without credentials, query and fragment.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function resolveUrl(name: string, url: unknown): string {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const isUrl =
    parsed !== undefined &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.username + parsed.password === '' &&
    // An empty query or fragment is in none of the parts.
    !/[?#]/.test(parsed.href);
  // It may hold a password.
  const shown = typeof url === 'string' && url.includes('@') ? '…' : url;
  check(
    name,
    shown,
    isUrl,
    'a URL such as "http://127.0.0.1:6081", without user, query and fragment',
  );
  return parsed!.href.replace(/\/$/, '');
}
