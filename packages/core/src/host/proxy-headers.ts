import { SsrError } from '../errors.ts';
import { trimOws } from '../http/optional-whitespace.ts';

/** Tells whether a field set by proxies, in lower case, is to be believed. */
export type ProxyHeaderPredicate = (name: string) => boolean;

/** Whether only a proxy should set this field (lower case): `forwarded`, `x-forwarded-*`. */
export function isProxyHeader(name: string): boolean {
  return name === 'forwarded' || name.startsWith('x-forwarded-');
}

/**
 * Compiles `trustProxyHeaders` as Angular understands it: all, none, or those listed.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` for a list that names anything but proxy fields.
 */
export function toProxyHeaderPredicate(
  trust: boolean | readonly string[],
  source: string,
): ProxyHeaderPredicate {
  if (typeof trust === 'boolean') return () => trust;
  const trusted = new Set(trust.map((name) => String(name).toLowerCase()));
  for (const name of trusted) {
    if (!isProxyHeader(name)) {
      throw new SsrError(
        'NG_SSR_OPTION_INVALID',
        `${source} names ${JSON.stringify(name)}: allowed are "forwarded" and fields that start ` +
          'with "x-forwarded-"',
      );
    }
  }
  return (name) => trusted.has(name);
}

/** What a Forwarded field says of the client's own request (RFC 7239 section 4). */
export interface ForwardedElement {
  readonly host?: string;
  readonly proto?: string;
}

/**
 * Reads `host` and `proto` of the first element of a Forwarded field: the one the proxy nearest
 * to the client has written.
 *
 * @returns undefined when the element is not well-formed.
 */
export function parseForwarded(value: string): ForwardedElement | undefined {
  const element: { host?: string; proto?: string } = {};
  let at = 0;
  for (;;) {
    while (value[at] === ' ') at++;
    const equals = value.indexOf('=', at);
    if (equals === -1) return undefined;
    const name = value.slice(at, equals).toLowerCase();
    let text = '';
    at = equals + 1;
    if (value[at] === '"') {
      for (at++; value[at] !== '"'; at++) {
        if (value[at] === '\\') at++;
        if (at >= value.length) return undefined;
        text += value[at];
      }
      at++;
    } else {
      const start = at;
      while (at < value.length && value[at] !== ';' && value[at] !== ',') at++;
      text = trimOws(value.slice(start, at));
    }
    if (name === 'host' || name === 'proto') {
      if (element[name] !== undefined) return undefined;
      element[name] = text;
    }
    while (value[at] === ' ') at++;
    if (at >= value.length || value[at] === ',') return element;
    if (value[at] !== ';') return undefined;
    at++;
  }
}

/** The first element of a comma-separated list, trimmed. */
export function firstElement(value: string): string {
  const comma = value.indexOf(',');
  return trimOws(comma === -1 ? value : value.slice(0, comma));
}
