import type { Answer, StreamedAnswer } from '@ng-ssr/core/adapter';
import { addVary, headersBeside, headersForOne, isForCaches } from '@ng-ssr/core/neutral';

/** Status and headers that earlier middleware has set; a Response is one. */
export interface EarlierResponse {
  /** Default: 200. Another status stays, and the page is sent in full. */
  readonly status?: number | undefined;
  /** Kept beside the answer's own: see {@link createFetchSsrHandler}. Not modified. */
  readonly headers?: Headers | undefined;
}

/** The body of a response; null for none. */
export type Content = Blob | ReadableStream | Uint8Array<ArrayBuffer> | null;

interface Prepared {
  /** Of the answer. */
  readonly content: Answer['body'];
  readonly body: Content;
  readonly init: ResponseInit;
}

/** By the headers of an answer: hits share those of their page, also where features make answers of their own. */
const prepared = new WeakMap<Answer['headers'], Prepared>();

/** Bun copies a Uint8Array into each Response, but shares the bytes of a Blob. */
const sharesBlobs = 'Bun' in globalThis;

/** Makes a framework's own kind of response, where that is faster than a Response. */
export type ResponseFactory<Reply> = (body: Content, init: ResponseInit) => Reply;

/** An answer, or one that comes in pieces, without these. */
type Head = Answer & Pick<StreamedAnswer, 'isPersonal'>;

/** The Response of an answer, merged with the headers that earlier middleware has set. */
export function toResponse(answer: Head, earlier?: EarlierResponse): Response;
export function toResponse<Reply>(
  answer: Head,
  earlier: EarlierResponse | undefined,
  create: ResponseFactory<Reply>,
): Reply;
export function toResponse(
  answer: Head,
  earlier?: EarlierResponse,
  create: ResponseFactory<unknown> = newResponse,
): unknown {
  const { body, init } = partsOf(answer);
  const headers = earlier?.headers && beside(answer, init.headers!, earlier.headers);
  if (headers === undefined || headers === init.headers) return create(body, init);
  return create(body, { status: answer.status, headers });
}

/** The headers of an answer beside earlier ones: again a record where they are one, and the same where there are none. */
function beside(answer: Head, own: HeadersOf, earlier: Headers): HeadersOf {
  if (earlier.keys().next().done === true) return own;
  const { headers: answered, isPersonal } = answer;
  const isRecord = !isPersonal && !(own instanceof Headers);
  const added = isRecord ? addEarlier(own as HeaderRecord, earlier, answered) : undefined;
  if (added !== undefined) return added;
  const headers = new Headers(earlier);
  setHeaders(headers, answered, isPersonal);
  return headers;
}

/** As {@link setHeaders}, but undefined where a record does not do, or the answer is not for caches any more. */
function addEarlier(
  own: HeaderRecord,
  earlier: Headers,
  answered: readonly string[],
): HeaderRecord | undefined {
  let headers = own;
  for (const [name, value] of earlier) {
    if (name === 'set-cookie' || name === '__proto__') return undefined;
    const isControl = name === 'cache-control';
    if (isControl && headersBeside(answered, value, false) !== answered) return undefined;
    const isOwn = Object.hasOwn(own, name);
    if (isOwn && !isControl && name !== 'vary') continue;
    if (headers === own) headers = { ...own };
    headers[name] = isOwn && !isControl ? mergeVary(value, own[name]!) : value;
  }
  return headers;
}

/** A Response of the runtime. */
export function newResponse(body: Content, init: ResponseInit): Response {
  return new Response(body, init);
}

/**
 * Sets an answer's headers beside existing ones: Set-Cookie lines are added, Vary becomes the union,
 * and an existing Cache-Control stays, since the middleware that set it may know more than the page.
 *
 * @param isPersonal - Of an answer with data of one client: existing headers for caches are removed.
 */
export function setHeaders(
  headers: Headers,
  answered: readonly string[],
  isPersonal = false,
): void {
  const earlier = headers.get('cache-control') ?? undefined;
  const list = isPersonal
    ? headersForOne(answered, earlier)
    : headersBeside(answered, earlier, headers.has('set-cookie'));
  if (isPersonal) {
    for (const name of [...headers.keys()]) if (isForCaches(name)) headers.delete(name);
  }
  const own = new Set<string>();
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]!.toLowerCase();
    const value = list[i + 1]!;
    if (name === 'set-cookie' || own.has(name)) headers.append(name, value);
    else if (name === 'vary') headers.set(name, mergeVary(headers.get(name), value));
    else if (name !== 'cache-control' || !headers.has(name)) {
      headers.set(name, value);
      own.add(name);
    }
  }
}

function partsOf(answer: Answer): Prepared {
  const { status, headers, body } = answer;
  const known = prepared.get(headers);
  if (known?.content === body && known.init.status === status) return known;
  const parts = prepare(answer);
  // The answer to HEAD has the headers of the page, too.
  if (known === undefined || body !== null) prepared.set(headers, parts);
  return parts;
}

function prepare({ status, headers, body }: Answer): Prepared {
  const init = { status, headers: toInit(headers) };
  // null for empty content: a runtime would add a Content-Type.
  if (body === null || body.byteLength === 0) return { content: body, init, body: null };
  const bytes = body as Uint8Array<ArrayBuffer>;
  return { content: body, init, body: sharesBlobs ? new Blob([bytes]) : bytes };
}

/** By name in lower case. */
type HeaderRecord = Record<string, string>;

type HeadersOf = NonNullable<ResponseInit['headers']>;

/** A plain record, which servers on Node write unchanged; Headers on Bun, or where a name repeats. */
function toInit(list: readonly string[]): Headers | HeaderRecord {
  const record: HeaderRecord = {};
  const headers = new Headers();
  let isRecord = !sharesBlobs;
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i]!.toLowerCase();
    // `__proto__` would set the record's prototype.
    if (name === 'set-cookie' || name === '__proto__' || name in record) isRecord = false;
    record[name] = list[i + 1]!;
    headers.append(name, list[i + 1]!);
  }
  return isRecord ? record : headers;
}

function mergeVary(present: string | null, own: string): string {
  if (present === null) return own;
  let merged = present;
  for (const name of own.split(',')) merged = addVary(merged, name.trim());
  return merged;
}
