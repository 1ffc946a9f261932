import { isPromise } from '../platform/is-promise.ts';
import type { Call } from './call.ts';

export type FetchInput = Parameters<typeof fetch>[0];
export type FetchInit = RequestInit | undefined;

/** Options that a runtime's own `fetch` has: undici's, Bun's and Deno's. */
const OF_THE_RUNTIME = ['dispatcher', 'tls', 'proxy', 'unix', 'client'];

/** The values of members that do not keep a call from being read without a Request. */
const PLAIN = new Map<string | symbol, (value: unknown) => boolean>([
  ['method', (value) => value === 'GET' || value === 'HEAD'],
  ['headers', (value) => value instanceof Headers || isLiteral(value)],
  ['body', (value) => value === null],
  ['signal', (value) => value instanceof AbortSignal],
  ['credentials', (value) => value === 'include' || value === 'same-origin' || value === 'omit'],
  ['keepalive', (value) => typeof value === 'boolean'],
]);

let isCredentialsModeKept: boolean | undefined;

/** Bun's Request has the same credentials, whatever it was made with. Asked late: Node loads fetch at its first use. */
function hasCredentialsMode(): boolean {
  return (isCredentialsModeKept ??= new Request('http://a').credentials !== 'include');
}

/** Requests by the signals that they have made. */
const owners = new WeakMap<AbortSignal, Request>();

/**
 * Resolves the URL that `fetch` was called with, as a document does. Inputs other than strings have absolute URLs.
 *
 * @returns undefined if it has none.
 */
export function resolveInput(input: FetchInput, baseUrl: string): URL | undefined {
  const written = input instanceof Request ? input.url : String(input);
  return URL.parse(written, typeof input === 'string' ? baseUrl : undefined) ?? undefined;
}

/**
 * Whether the runtime's `fetch` must make a call: its URL is not one of http or https, or has credentials, or it has
 * options that no {@link Call} has. The runtime alone checks `integrity`.
 */
export function isForRuntime(url: URL, input: FetchInput, init: FetchInit): boolean {
  const { protocol, username, password } = url;
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') {
    return true;
  }
  const integrity = init?.integrity ?? (input instanceof Request ? input.integrity : undefined);
  if (integrity) return true;
  const options = init as Readonly<Record<string, unknown>> | undefined;
  return OF_THE_RUNTIME.some((name) => options?.[name] !== undefined);
}

/**
 * Reads the arguments of `fetch` as its first step does (Fetch Standard, "Fetch method"): with a constructor, which
 * refuses what `fetch` refuses.
 *
 * @throws TypeError for arguments that `fetch` does not take.
 */
export function toCall(url: URL, input: FetchInput, init: FetchInit): Call | Promise<Call> {
  const plain = input instanceof Request ? undefined : toPlainCall(url, init);
  if (plain !== undefined) return plain;
  const request = new Request(input instanceof Request ? input : url.href, init);
  const { method, headers, redirect, cache, mode, referrer, referrerPolicy } = request;
  const content = contentOf(request, init);
  const finish = (body: Call['body']): Call => ({
    ...{ method, headers, body, redirect, referrerPolicy },
    url: withoutFragment(request.url),
    signal: signalOf(input, init),
    // Bun's Request has not all members.
    cache: cache ?? 'default',
    mode: mode ?? 'cors',
    referrer: /^https?:/.test(referrer ?? '') ? referrer : undefined,
    isCredentialed: (hasCredentialsMode() ? request : init)?.credentials === 'include',
    isKeptAlive: (request.keepalive ?? init?.keepalive) === true,
  });
  return isPromise(content) ? content.then(finish) : finish(content);
}

/** Most calls of HttpClient and `fetch`, for which a Request says no more. It says what is wrong with others. */
function toPlainCall({ href }: URL, init: RequestInit = {}): Call | undefined {
  const isPlain = (name: string | symbol): boolean => {
    const value: unknown = init[name as keyof RequestInit];
    return value === undefined || PLAIN.get(name)?.(value) === true;
  };
  if (!isLiteral(init) || !Reflect.ownKeys(init).every(isPlain)) return undefined;
  const { method = 'GET', headers, signal, credentials, keepalive } = init;
  try {
    return {
      ...{ method, url: withoutFragment(href), headers: new Headers(headers), body: null },
      ...{ signal: signal ?? undefined, redirect: 'follow', cache: 'default', mode: 'cors' },
      ...{ referrer: undefined, referrerPolicy: '', isKeptAlive: keepalive === true },
      isCredentialed: credentials === 'include',
    };
  } catch {
    return undefined;
  }
}

/** Others may give their members only once, or not list them. */
function isLiteral(value: unknown): boolean {
  return value instanceof Object && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * The content of a request: as bytes, unless the caller has passed a stream, which can be sent once. Only with bytes
 * the call has a Content-Length and can be redirected.
 */
function contentOf(request: Request, init: FetchInit): Call['body'] | Promise<Call['body']> {
  if (request.body === null) return null;
  const body = init?.body;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  const repeatable = body instanceof ReadableStream ? undefined : toRepeatable(request);
  if (repeatable === undefined) return request.body as ReadableStream<Uint8Array<ArrayBuffer>>;
  return repeatable.arrayBuffer().then((bytes) => new Uint8Array(bytes));
}

/** No other part of the interface tells streams from the rest: in this mode the constructor refuses them alone. */
function toRepeatable(request: Request): Request | undefined {
  try {
    return new Request(request, { method: 'POST', mode: 'no-cors' });
  } catch {
    return undefined;
  }
}

/**
 * The signal of the caller. That of a request follows another one only as long as the request is in memory (undici), so
 * it must be there as long as its signal.
 */
function signalOf(input: FetchInput, init: FetchInit): AbortSignal | undefined {
  if (init?.signal !== undefined) return init.signal ?? undefined;
  if (!(input instanceof Request)) return undefined;
  owners.set(input.signal, input);
  return input.signal;
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? url : url.slice(0, at);
}
