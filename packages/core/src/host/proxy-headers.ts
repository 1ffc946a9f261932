import { showValue } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { trimOws } from '../http/optional-whitespace.ts';
import { suggestionFor } from '../suggestion.ts';

/** A header that proxies set. Editors complete the ones that ng-ssr or Angular read; any other `x-forwarded-*` is allowed. */
export type ProxyHeader =
  | 'forwarded'
  | 'x-forwarded-for'
  | 'x-forwarded-host'
  | 'x-forwarded-port'
  | 'x-forwarded-prefix'
  | 'x-forwarded-proto'
  | (string & {});

/** Whether a header set by proxies (lower case) is trusted. */
export type ProxyHeaderPredicate = (name: string) => boolean;

/** Whether only a proxy should set this header (lower case): `forwarded`, `x-forwarded-*`. */
export function isProxyHeader(name: string): boolean {
  return name === 'forwarded' || name.startsWith(PREFIX);
}

const PREFIX = 'x-forwarded-';
/** Which `X-Forwarded-*` say something about the requested URL or its client; Angular and ng-ssr read all but `for`. */
const KNOWN_ENDS: readonly string[] = ['for', 'host', 'port', 'prefix', 'proto'];
const KNOWN_HEADERS: readonly string[] = ['forwarded', ...KNOWN_ENDS.map((end) => PREFIX + end)];

/**
 * Compiles `trustProxyHeaders` as Angular understands it: all, none, or those listed.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` for a list that names anything but proxy headers, or a misspelt one.
 */
export function toProxyHeaderPredicate(
  trust: boolean | readonly string[],
  source: string,
): ProxyHeaderPredicate {
  if (typeof trust === 'boolean') return () => trust;
  const trusted = new Set<string>();
  for (const header of trust as readonly unknown[]) {
    const name = typeof header === 'string' ? header.toLowerCase() : '';
    const meant = meantHeader(name);
    if (meant !== undefined || !isProxyHeader(name)) {
      const advice =
        meant === undefined
          ? `; allowed: "forwarded" and headers that start with "${PREFIX}"`
          : `. Did you mean "${meant}"?`;
      throw new SsrError(
        'NG_SSR_OPTION_INVALID',
        `${source} has the entry ${showValue(header)}${advice}`,
      );
    }
    trusted.add(name);
  }
  return (name) => trusted.has(name);
}

/** The known header that a header resembles. Others, such as `x-forwarded-user`, are for pages: Angular has them, too. */
function meantHeader(name: string): string | undefined {
  if (KNOWN_HEADERS.includes(name)) return undefined;
  if (!name.startsWith(PREFIX)) return suggestionFor(name, KNOWN_HEADERS);
  // Only the ends are compared: with their prefix all are alike.
  const end = suggestionFor(name.slice(PREFIX.length), KNOWN_ENDS);
  return end === undefined ? undefined : PREFIX + end;
}

/** What a Forwarded header says about the client's own request (RFC 7239 section 4). */
export interface ForwardedElement {
  readonly host?: string;
  readonly proto?: string;
}

/**
 * Reads `host` and `proto` of the first element of a Forwarded header, which the proxy nearest to the client
 * has written.
 *
 * @returns undefined when there is no element, or it is not well-formed.
 */
export function parseForwarded(value: string): ForwardedElement | undefined {
  const element: { host?: string; proto?: string } = {};
  // A list may begin with empty elements (RFC 9110 section 5.6.1.2).
  let at = value.search(/[^ \t,]/);
  if (at === -1) return undefined;
  for (;;) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(value);
    if (pair === null) return undefined;
    const [, token, quoted, plain, end] = pair;
    const name = token?.toLowerCase();
    if (name === 'host' || name === 'proto') {
      if (element[name] !== undefined) return undefined;
      element[name] = quoted?.replaceAll(/\\([^])/g, '$1') ?? plain ?? '';
    }
    if (end !== ';') return element;
    at = PAIR.lastIndex;
  }
}

/**
 * A pair, which may be empty, and its terminator. An unquoted value may contain characters that need quotes:
 * proxies send ports and IPv6 addresses unquoted.
 */
const PAIR = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^\s",;]*)))?[ \t]*(;|,|$)/y;

/** The first element of a comma-separated list, trimmed. */
export function firstElement(value: string): string {
  const comma = value.indexOf(',');
  return trimOws(comma === -1 ? value : value.slice(0, comma));
}
