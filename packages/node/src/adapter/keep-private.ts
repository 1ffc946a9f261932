import type { ServerResponse } from 'node:http';
import { headersForOne, isForCaches } from '@ng-ssr/core/adapter';
import type { NodeResponse } from './node-exchange.ts';
import { mergeVary } from './merge-vary.ts';

/** The value of a header, as node:http takes it. */
export type HeaderValue = number | string | readonly string[];

/** As long as a framework has not set its own. */
const PRIVATE = 'private, no-cache, no-transform';

/** Whether a header of a response with data of one client stays, whatever middleware sets. */
export function isKept(name: string): boolean {
  const header = name.toLowerCase();
  return header === 'vary' || isForCaches(header);
}

/**
 * The value of a header that {@link isKept}, after middleware has set it.
 *
 * @param current - The value so far.
 * @param given - Undefined if middleware removes the header.
 * @returns undefined if the header is not sent.
 */
export function keptValue(
  name: string,
  current: HeaderValue | undefined,
  given: HeaderValue | undefined,
): HeaderValue | undefined {
  const header = name.toLowerCase();
  if (header === 'vary') return mergeVary(given, String(current ?? 'Cookie'));
  // What a page with an include says to the cache that includes.
  if (header !== 'cache-control') return current;
  // Middleware may be stricter.
  return headersForOne([name, String(current ?? PRIVATE)], given?.toString())[1];
}

/**
 * Keeps a response with data of one client private: middleware may set headers after the page, as Koa's does, and as late
 * as in writeHead (`on-headers`).
 */
export function keepPrivate(given: NodeResponse): void {
  const response = given as ServerResponse;
  const methods = response as unknown as Record<PropertyKey, HeaderMethod>;
  const set = methodOf(response, 'setHeader');
  const setHeader = methods[set]!;
  const keep = (name: string, value: HeaderValue | undefined): ServerResponse => {
    const kept = keptValue(name, response.getHeader(name), value);
    if (kept !== undefined) Reflect.apply(setHeader, response, [name, kept]);
    return response;
  };
  for (const key of [set, methodOf(response, 'appendHeader')]) {
    const method = methods[key]!;
    methods[key] = (name, value) =>
      isKept(name) ? keep(name, value) : Reflect.apply(method, response, [name, value]);
  }
  const { removeHeader } = response;
  response.removeHeader = (name) => {
    if (isKept(name)) keep(name, undefined);
    else Reflect.apply(removeHeader, response, [name]);
  };
}

type HeaderMethod = (name: string, value: HeaderValue) => unknown;

/** What sets headers in the end: a response of HTTP/2 has an internal method, which its writeHead calls, too. */
function methodOf(response: object, name: 'appendHeader' | 'setHeader'): PropertyKey {
  const symbols = Object.getOwnPropertySymbols(Object.getPrototypeOf(response) as object);
  return symbols.find(({ description }) => description === name) ?? name;
}
