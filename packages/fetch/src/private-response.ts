import { isForCaches } from '@ng-ssr/core/neutral';
import { setHeaders } from './to-response.ts';

/**
 * Makes headers those of a response with data of one client, and keeps them so.
 *
 * @param isBeside - Whether a framework sets them over those of the response: then they may be empty.
 */
export type KeepPrivate = (headers: Headers, isBeside?: boolean) => void;

const keepers = new WeakMap<object, KeepPrivate>();

const METHODS = ['append', 'delete', 'set'] as const;

/**
 * Keeps a response with data of one client private: middleware may set headers after the page.
 *
 * @param answered - The headers of the page.
 */
export function keepPrivate(response: Response, answered: readonly string[]): Response {
  const { headers } = response;
  const kept = answered.filter((_text, at) => isKept(answered[at & ~1]!));
  const guarded = new WeakSet<Headers>();
  const keep: KeepPrivate = (given, isBeside = false) => {
    if (guarded.has(given)) return;
    guarded.add(given);
    const restore = (): void => {
      // Of what others set, only no-store stays. Their other values must not change what is for an includer.
      if (!/no-store/i.test(given.get('cache-control') ?? '')) given.delete('cache-control');
      setHeaders(given, kept, true);
    };
    if (!isBeside) restore();
    guard(given, restore);
  };
  keep(headers);
  // A runtime may make another object of them, which is not guarded, each time that they are read.
  Object.defineProperty(response, 'headers', { value: headers });
  keepers.set(response, keep);
  return response;
}

/** For an adapter whose framework makes headers of its own; undefined for responses that are not private. */
export function keeperOf(response: object): KeepPrivate | undefined {
  return keepers.get(response);
}

/** Whether a header of a response with data of one client stays, whatever middleware sets. */
export function isKept(name: string): boolean {
  const header = name.toLowerCase();
  return header === 'vary' || isForCaches(header);
}

/** Restores headers after each change. */
function guard(headers: Headers, restore: () => void): void {
  let isRestoring = false;
  for (const name of METHODS) {
    const change = headers[name] as (...given: string[]) => void;
    const value = (...given: string[]): void => {
      Reflect.apply(change, headers, given);
      if (isRestoring) return;
      isRestoring = true;
      restore();
      isRestoring = false;
    };
    Object.defineProperty(headers, name, { configurable: true, value });
  }
}
