import { trimOws } from './optional-whitespace.ts';

/** A flat list of header names and values, `[name, value, name, value, ...]`. */
export type HeaderList = readonly string[];

/** The value of a header in a list (name compared without case), or undefined. */
export function valueOf(list: HeaderList, name: string): string | undefined {
  for (let i = 0; i < list.length; i += 2) {
    if (list[i]!.toLowerCase() === name) return list[i + 1];
  }
  return undefined;
}

/** The values of all headers by name, in lower case. Of several lines of one header the first counts. */
export function valuesOf(list: HeaderList): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]!.toLowerCase();
    if (!values.has(name)) values.set(name, list[i + 1]!);
  }
  return values;
}

/** A copy of the list without a header (name in lower case). */
export function withoutHeader(list: HeaderList, name: string): string[] {
  return list.filter((_text, at) => list[at - (at % 2)]!.toLowerCase() !== name);
}

/**
 * A copy of the list with a header set: its first line is replaced and further ones are removed; a missing
 * header is added at the end.
 */
export function withHeader(list: HeaderList, name: string, value: string): string[] {
  const copy: string[] = [];
  let found = false;
  for (let i = 0; i < list.length; i += 2) {
    if (list[i]!.toLowerCase() !== name.toLowerCase()) copy.push(list[i]!, list[i + 1]!);
    else if (!found) {
      copy.push(list[i]!, value);
      found = true;
    }
  }
  if (!found) copy.push(name, value);
  return copy;
}

/**
 * The headers of a 304 for a representation whose 200 would carry these: all but those that describe the
 * content, which is not sent (RFC 9110 section 15.4.5).
 */
export function toNotModifiedHeaders(list: HeaderList): string[] {
  const headers: string[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]!.toLowerCase();
    const describesContent =
      (name.startsWith('content-') && !isKeptOn304(name)) ||
      name === 'accept-ranges' ||
      name === 'last-modified';
    if (!describesContent) headers.push(list[i]!, list[i + 1]!);
  }
  return headers;
}

/** Names that begin with `content-` but do not describe the bytes. */
function isKeptOn304(name: string): boolean {
  return name === 'content-location' || name.startsWith('content-security-policy');
}

/** A list with one line for each header but Set-Cookie (RFC 9110 section 5.3): the same list if no header repeats. */
export function joinLines(list: readonly string[]): readonly string[] {
  const joined: string[] = [];
  const lineOf = new Map<string, number>();
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]!.toLowerCase();
    const line = lineOf.get(name);
    if (line !== undefined) joined[line] += `, ${list[i + 1]!}`;
    else if (joined.push(list[i]!, list[i + 1]!) && name !== 'set-cookie')
      lineOf.set(name, joined.length - 1);
  }
  return joined.length === list.length ? list : joined;
}

/** Adds a header name to a Vary value that does not have it; `*` stands for all. */
export function addVary(vary: string | undefined, name: string): string {
  if (vary === undefined || trimOws(vary) === '') return name;
  const members = vary.split(',').map((member) => trimOws(member).toLowerCase());
  return members.includes('*') || members.includes(name.toLowerCase()) ? vary : `${vary}, ${name}`;
}

/** Headers of a connection, not of the response (RFC 9110 section 7.6.1). */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The names, in lower case, of the headers that end with their connection: those above, and those that
 * Connection names.
 *
 * @param connection - The Connection value that the headers came with.
 */
export function connectionHeaders(connection: string | null | undefined): ReadonlySet<string> {
  if (!connection) return CONNECTION_HEADERS;
  const named = connection.split(',').map((option) => option.trim().toLowerCase());
  return new Set([...CONNECTION_HEADERS, ...named]);
}
