import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { http } from './node-http.ts';

/** Private properties of node:http's requests. */
interface Symbols {
  /** `headers`, or null as long as it has not been read. */
  readonly fields: symbol;
  /** How many strings of `rawHeaders` count, by the server's `maxHeadersCount`. */
  readonly count: symbol;
}

/** Undefined where requests have none of these, or others do more than Node's. */
const SYMBOLS = findSymbols();

/**
 * A field of a request, read from its raw fields: Node parses all of them when `headers` is first read, which takes
 * longer than the few that a hit needs.
 *
 * @param name - In lower case.
 * @returns null where only `headers` knows: it has been read, and may have been changed by middleware, or the
 * field has several lines, which it may join.
 */
export function rawField(request: object, name: string): string | undefined | null {
  if (SYMBOLS === undefined) return null;
  const internal = request as { readonly [symbol: symbol]: unknown };
  // A wrapper around Node's request may have put fields of its own in place of the getter.
  if (internal[SYMBOLS.fields] !== null || Object.hasOwn(request, 'headers')) return null;
  const { rawHeaders } = request as IncomingMessage;
  if (internal[SYMBOLS.count] !== rawHeaders.length) return null;
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const each = rawHeaders[i]!;
    if (each.length !== name.length || (each !== name && each.toLowerCase() !== name)) continue;
    if (found !== undefined) return null;
    found = rawHeaders[i + 1]!;
  }
  return found;
}

/** Checked with a request of its own: that reading `headers` is what changes it. */
function findSymbols(): Symbols | undefined {
  const { bun, deno } = process.versions;
  if (bun !== undefined || deno !== undefined) return undefined;
  const request = new http.IncomingMessage(new Socket());
  const values = request as unknown as Record<symbol, unknown>;
  const find = (name: string): symbol | undefined =>
    Object.getOwnPropertySymbols(request).find(({ description }) => description === name);
  const fields = find('kHeaders');
  const count = find('kHeadersCount');
  if (fields === undefined || count === undefined) return undefined;
  if (values[fields] !== null || values[count] !== 0) return undefined;
  return request.headers === values[fields] ? { fields, count } : undefined;
}
