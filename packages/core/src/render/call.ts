/** A call that a render makes with `fetch`, checked and with its URL resolved. */
export interface Call {
  readonly method: string;
  /** Absolute, of http or https, without a fragment. */
  readonly url: string;
  readonly headers: Headers;
  /** Bytes can be sent more than once. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  readonly redirect: Request['redirect'];
  readonly cache: Request['cache'];
  /** Whether it may outlive its render, as a report that is sent while a document is unloaded. */
  readonly isKeptAlive: boolean;
}

/** The answer to a call, as plain data. */
export interface CallAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Null for a status without content. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** After redirects. */
  readonly url: string;
  readonly isRedirected: boolean;
}

/** Makes the calls of one render. */
export interface CallMaker {
  /** The URL against which relative URLs are resolved, as `<base>` says. Default: the page's. */
  readonly baseUrl?: string | undefined;
  /** Rejects with the reason of the caller's signal, else with an SsrError `NG_SSR_CALL_...`. */
  make(call: Call): Promise<CallAnswer>;
}

/** A content that was read to its end. */
export async function wholeBody(body: Call['body']): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!(body instanceof ReadableStream)) return body;
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** The answer as `fetch` returns it. */
export function toResponse(answer: CallAnswer): Response {
  const { status, statusText, headers, body, url, isRedirected } = answer;
  const isUsual = status >= 200 && status <= 599;
  const response = new Response(body, { status: isUsual ? status : 500, statusText, headers });
  // `fetch` returns any status that a server sends, and a program cannot make a Response with it.
  if (!isUsual) Object.defineProperty(response, 'status', { value: status });
  // A Response that a program has made has no URL.
  Object.defineProperty(response, 'url', { value: url });
  if (isRedirected) Object.defineProperty(response, 'redirected', { value: true });
  return response;
}

export type FetchInput = Parameters<typeof fetch>[0];

/**
 * Reads the arguments of `fetch`.
 *
 * @param baseUrl - The URL against which relative URLs are resolved.
 * @returns undefined for a call that the runtime's `fetch` must make: its URL is not one of http or https, or has
 * credentials, or it has options that no {@link Call} has.
 * @throws TypeError for arguments that `fetch` does not take.
 */
export function toCall(
  input: FetchInput,
  init: RequestInit | undefined,
  baseUrl: string,
): Call | undefined {
  if (init !== undefined && hasOwnOptions(init)) return undefined;
  const hasBody = init?.body !== undefined && init.body !== null;
  if (typeof input === 'object' && 'headers' in input) {
    if (toUrl(input.url, baseUrl) === undefined) return undefined;
    return ofRequest(init ? new Request(input, init) : input);
  }
  const url = toUrl(String(input), baseUrl);
  if (url === undefined) return undefined;
  if (hasBody)
    return ofRequest(new Request(url, { duplex: 'half', ...init } as RequestInit), init.body);
  return {
    method: toMethod(init?.method),
    url,
    headers: new Headers(init?.headers),
    body: null,
    signal: init?.signal ?? undefined,
    redirect: init?.redirect ?? 'follow',
    cache: init?.cache ?? 'default',
    isKeptAlive: init?.keepalive === true,
  };
}

/** Members of RequestInit that a Call has, and those that mean something in browsers alone. */
const KNOWN = new Set([
  ...['method', 'headers', 'body', 'signal', 'redirect', 'cache', 'keepalive', 'duplex'],
  ...['credentials', 'mode', 'referrer', 'referrerPolicy', 'priority', 'window'],
]);

/** Whether there is an option of the runtime's own, such as a proxy or a certificate, or `integrity`. */
function hasOwnOptions(init: RequestInit): boolean {
  return Object.entries(init).some(
    ([name, value]) => value !== undefined && value !== '' && !KNOWN.has(name),
  );
}

function ofRequest(request: Request, body?: RequestInit['body']): Call {
  const { method, url, headers, signal, redirect, cache, keepalive } = request;
  return {
    method,
    url: withoutFragment(url),
    headers,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : request.body,
    signal,
    redirect,
    // Bun's Request has no `keepalive`.
    cache: cache ?? 'default',
    isKeptAlive: keepalive === true,
  };
}

function toUrl(written: string, baseUrl: string): string | undefined {
  const url = new URL(written, baseUrl);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === ''
    ? withoutFragment(url.href)
    : undefined;
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? url : url.slice(0, at);
}

/** These are the methods that `fetch` takes in any case (Fetch Standard, "normalize"). */
const NORMALISED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);

function toMethod(method = 'GET'): string {
  const upper = method.toUpperCase();
  return NORMALISED.has(upper) ? upper : method;
}
