import type { OutgoingMessage } from 'node:http';
import { headersBeside, joinLines } from '@ng-ssr/core/adapter';
import { type Files, filesOnStack, isOfNode as isFileOfNode } from './files-on-stack.ts';
import type { HeaderValue } from './keep-private.ts';
import { mergeVary } from './merge-vary.ts';
import { http } from './node-http.ts';

/** The headers of a response as node:http keeps them: by name in lower case, each with its name as it is sent. */
interface HeaderFields {
  [name: string]: [name: string, value: HeaderValue] | undefined;
}

/** Without inherited names. V8 adds to an object of a constructor faster than to one that is created without a prototype. */
const Fields = function Fields() {} as unknown as new () => object;
Fields.prototype = Object.freeze(Object.create(null));

type Methods = Pick<OutgoingMessage, 'setHeader' | 'getHeader' | 'hasHeader'>;

/** How node:http keeps the headers of a response. */
interface Store extends Methods {
  readonly key: symbol;
}

/** V8 leaves a `setHeader` uncompiled that only middleware calls, once per request: it costs more than is saved here. */
const FIRST_ANSWERS = 300;
let answers = 0;

/** Null where responses keep them in another way, or others follow them. Undefined before the first response. */
let store: Store | null | undefined;

/**
 * As `setHeaders`, for an answer that is the same for all clients: `setHeader` would check names and values of a stored
 * page at each hit, and grow a dictionary.
 *
 * @returns false, with nothing set, if `setHeader` is to set them: in the first answers of a process, and in responses that are
 * not node:http's own, or have methods that others have replaced.
 */
export function addHeaders(response: object, headers: readonly string[]): boolean {
  if (answers < FIRST_ANSWERS) {
    answers++;
    return false;
  }
  if (store === undefined) store = findStore();
  if (store === null || !isOfNode(response as OutgoingMessage, store)) return false;
  const internal = response as { [key: symbol]: HeaderFields | null | undefined };
  const earlier = internal[store.key];
  if (earlier === undefined) return false;
  const control = earlier?.['cache-control']?.[1].toString();
  const setsCookie = earlier?.['set-cookie'] !== undefined;
  const isWhole = headersBeside(headers, control, setsCookie) === headers;
  const names = isWhole ? validNames(headers) : undefined;
  if (names === undefined) return false;
  const fields = new Fields() as HeaderFields;
  for (const name in earlier) fields[name] = earlier[name];
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (name === 'cache-control' && fields[name] !== undefined) continue;
    const value = headers[2 * i + 1]!;
    const merged = name === 'vary' ? mergeVary(fields[name]?.[1], value) : value;
    fields[name] = [headers[2 * i]!, merged];
  }
  internal[store.key] = fields;
  return true;
}

function isOfNode(response: OutgoingMessage, store: Store): boolean {
  const { setHeader, getHeader, hasHeader, headersSent } = response;
  return (
    setHeader === store.setHeader &&
    getHeader === store.getHeader &&
    hasHeader === store.hasHeader &&
    !headersSent
  );
}

/** Tried with a message of its own: that setting a header adds a field, and that a field is a header. */
function findStore(): Store | null {
  const { bun, deno } = process.versions;
  if (bun !== undefined || deno !== undefined) return null;
  const message = new http.OutgoingMessage();
  const internal = message as unknown as Record<symbol, HeaderFields | null>;
  const key = Object.getOwnPropertySymbols(message).find(
    (each) => each.description === 'kOutHeaders',
  );
  if (key === undefined || internal[key] !== null) return null;
  const { setHeader, getHeader, hasHeader } = http.ServerResponse.prototype;
  // A wrapper that was there before this module cannot be told from the method, but it is on the call stack.
  const here = filesOnStack(filesOnStack);
  const looks: Files[] = [];
  const value = {
    toString() {
      looks.push(filesOnStack(value.toString).slice(0, -here.length));
      return 'value';
    },
  } as unknown as string;
  Reflect.apply(setHeader, message, ['X-Set', value]);
  const fields = internal[key] as HeaderFields | null;
  const field = fields?.['x-set'];
  if (!looks[0]?.every(isFileOfNode) || !fields || Object.getPrototypeOf(fields) !== null)
    return null;
  const isField = field?.length === 2 && field[0] === 'X-Set' && field[1] === value;
  if (!isField || Object.keys(fields).length !== 1) return null;
  fields['x-added'] = ['X-Added', 'added'];
  const isHeader =
    Reflect.apply(getHeader, message, ['X-Added']) === 'added' &&
    Reflect.apply(hasHeader, message, ['X-Added']);
  return isHeader ? { key, setHeader, getHeader, hasHeader } : null;
}

/** What is known of a list of headers. */
interface Checked {
  /** The list as it was checked. */
  readonly list: readonly string[];
  /** Its names in lower case; undefined if `setHeader` is to set it. */
  readonly names: readonly string[] | undefined;
}

/** Answers of stored pages and files have the same list each time. */
const checked = new WeakMap<readonly string[], Checked>();

/**
 * The names of an answer's headers in lower case.
 *
 * @returns undefined if a name or value is not valid (RFC 9110 section 5), which `setHeader` reports, and with Set-Cookie
 * or a header of several lines.
 */
function validNames(headers: readonly string[]): readonly string[] | undefined {
  const known = checked.get(headers);
  if (known !== undefined && isEqual(known.list, headers)) return known.names;
  const names: string[] = [];
  let isValid = headers.length % 2 === 0;
  for (let i = 0; i < headers.length && isValid; i += 2) {
    const name = headers[i]!;
    isValid = TOKEN.test(name) && !FORBIDDEN.test(headers[i + 1]!);
    names.push(name.toLowerCase());
  }
  const isPlain = isValid && !names.includes('set-cookie') && joinLines(headers) === headers;
  checked.set(headers, { list: [...headers], names: isPlain ? names : undefined });
  return isPlain ? names : undefined;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN = /[^\t -~\u0080-\u00ff]/;

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
