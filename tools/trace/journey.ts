import { type RenderEngine, type SsrOptions, withPurgeEndpoint } from '@ng-ssr/core';
import type { BuiltSite, SiteFiles } from './built-site.ts';
import type { Ask, Reply } from './client.ts';

/** One request, and what was asked before it so that it goes the way that is meant. */
export interface Journey {
  /** Asked one after another. The first of them warm the server up. */
  readonly before: readonly Ask[];
  /** A request whose render does not end before the traced request is answered. */
  readonly meanwhile?: Ask;
  /** The traced request; `last` is the reply to the last request before it. */
  readonly ask: (last: Reply) => Ask;
  /** What shows that it went that way. */
  readonly status: number;
  readonly cacheStatus?: RegExp;
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The number of interim responses; default: 0. */
  readonly interim?: number;
  /** Whether it is answered from memory, without a promise: a change of the core must not add calls to it. */
  readonly isHit?: true;
  /** Whether the server does something each second: the traced request then comes just after it. */
  readonly hasTicks?: true;
  readonly options?: Partial<SsrOptions> | ((site: BuiltSite) => Partial<SsrOptions>);
  /** Default: a prerendered page and a large file. */
  readonly files?: SiteFiles;
  /** What the engine says of its build. */
  readonly engine?: Pick<RenderEngine, 'locales'>;
  /** Default: all. */
  readonly adapters?: readonly string[];
  /** How many threads listen. With more than one a server thread has the connection, and its steps come first. */
  readonly threads?: number;
}

const PURGE_ENDPOINT = { path: '/_cache/purge', token: 'a-token-for-traces' };

/** A request to the purge endpoint. */
export function purge(path: string, hard = false): Ask {
  return {
    target: PURGE_ENDPOINT.path,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${PURGE_ENDPOINT.token}`,
    },
    body: JSON.stringify({ path, hard }),
  };
}

/** Asks for two others of a kind of path, and then for a third. */
export function third(
  kind: string,
  headers: Readonly<Record<string, string>> = {},
): Pick<Journey, 'before' | 'ask'> {
  return {
    before: [
      { target: `${kind}/1`, headers },
      { target: `${kind}/2`, headers },
    ],
    ask: () => ({ target: `${kind}/3`, headers }),
  };
}

/** Asks for the same before, until a stored page has all its encodings. */
export function again(ask: Ask): Pick<Journey, 'before' | 'ask'> {
  return { before: [ask, ask, ask, ask], ask: () => ask };
}

/** The options of every journey's server. */
export const OPTIONS = {
  allowedHosts: ['127.0.0.1'],
  features: [withPurgeEndpoint(PURGE_ENDPOINT)],
  // Without it a failure would be printed.
  onError: () => undefined,
} satisfies Partial<SsrOptions>;
