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
  return list.filter((_text, at) => !describesContent(list[at - (at % 2)]!.toLowerCase()));
}

/** Two names that begin with `content-` do not. */
function describesContent(name: string): boolean {
  if (!name.startsWith('content-')) return name === 'accept-ranges' || name === 'last-modified';
  return name !== 'content-location' && !name.startsWith('content-security-policy');
}

/** A list with one line for each header but Set-Cookie (RFC 9110 section 5.3): the same list if no header repeats. */
export function joinLines(list: readonly string[]): readonly string[] {
  let joined = list;
  for (let i = 2; i < joined.length; i += 2) {
    const line = firstLine(joined, i);
    if (line === i || joined[i]!.toLowerCase() === 'set-cookie') continue;
    joined = joined.with(line + 1, `${joined[line + 1]!}, ${joined[i + 1]!}`).toSpliced(i, 2);
    i -= 2;
  }
  return joined;
}

/** Asked for each answer; most names differ in length. */
function firstLine(list: readonly string[], at: number): number {
  const name = list[at]!;
  const isSame = (i: number): boolean => list[i]!.toLowerCase() === name.toLowerCase();
  for (let i = 0; i < at; i += 2) if (list[i]!.length === name.length && isSame(i)) return i;
  return at;
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
