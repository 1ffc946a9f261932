import { addVary, type Answer } from '@ng-ssr/core';

/** What earlier middleware has chosen for a response; a Response is one. */
export interface EarlierResponse {
  /** 200 when absent. A status other than 200 stays, and the page comes whole. */
  readonly status?: number | undefined;
  /** Stay beside the answer's: see {@link createFetchSsrHandler}. Not changed. */
  readonly headers?: Headers | undefined;
}

/** What the body of a response is made of; null for none. */
export type Content = Blob | ReadableStream | Uint8Array<ArrayBuffer> | null;

type Prepared = { readonly body: Content; readonly init: ResponseInit };

/** Answers of held pages are shared between requests, and so is what their Responses are made of. */
const prepared = new WeakMap<Answer, Prepared>();

/** Bun copies a Uint8Array into each Response, and shares the bytes of a Blob. */
const sharesBlobs = 'Bun' in globalThis;

/** Makes a response of a framework's own kind, where that is faster than a Response. */
export type ResponseFactory<Reply> = (body: Content, init: ResponseInit) => Reply;

/** The Response of an answer, beside the fields that earlier middleware has set. */
export function toResponse(answer: Answer, earlier?: EarlierResponse): Response;
export function toResponse<Reply>(
  answer: Answer,
  earlier: EarlierResponse | undefined,
  create: ResponseFactory<Reply>,
): Reply;
export function toResponse(
  answer: Answer,
  earlier?: EarlierResponse,
  create: ResponseFactory<unknown> = newResponse,
): unknown {
  let parts = prepared.get(answer);
  if (parts === undefined) prepared.set(answer, (parts = prepare(answer)));
  const { body, init } = parts;
  if (earlier?.headers === undefined || isEmpty(earlier.headers)) return create(body, init);
  const headers = new Headers(earlier.headers);
  setFields(headers, answer.headers);
  return create(body, { status: answer.status, headers });
}

function newResponse(body: Content, init: ResponseInit): Response {
  return new Response(body, init);
}

/**
 * Sets an answer's fields beside those that are there: Set-Cookie lines are added, Vary becomes
 * the union, and a Cache-Control that is there stays, since whoever set it knows of something the
 * page does not.
 */
export function setFields(headers: Headers, fields: readonly string[]): void {
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i]!.toLowerCase();
    const value = fields[i + 1]!;
    if (name === 'set-cookie') headers.append(name, value);
    else if (name === 'vary') headers.set(name, mergeVary(headers.get(name), value));
    else if (name !== 'cache-control' || !headers.has(name)) headers.set(name, value);
  }
}

function prepare({ status, headers, body }: Answer): Prepared {
  const init = { status, headers: toInit(headers) };
  // An empty content is none: a runtime would give it a media type.
  if (body === null || body.byteLength === 0) return { init, body: null };
  const bytes = body as Uint8Array<ArrayBuffer>;
  return { init, body: sharesBlobs ? new Blob([bytes]) : bytes };
}

/** A plain record, which servers on Node write as it is; Headers where a name comes twice or on Bun. */
function toInit(fields: readonly string[]): Headers | Record<string, string> {
  const record: Record<string, string> = {};
  const headers = new Headers();
  let isRecord = !sharesBlobs;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i]!;
    // An object takes `__proto__` for something else than a name.
    if (name.toLowerCase() === 'set-cookie' || name === '__proto__') isRecord = false;
    record[name] = fields[i + 1]!;
    headers.append(name, fields[i + 1]!);
  }
  return isRecord ? record : headers;
}

function mergeVary(present: string | null, own: string): string {
  if (present === null) return own;
  let merged = present;
  for (const name of own.split(',')) merged = addVary(merged, name.trim());
  return merged;
}

function isEmpty(headers: Headers): boolean {
  return headers.keys().next().done === true;
}
