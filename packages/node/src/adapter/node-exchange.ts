import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Exchange, SsrHandler } from '@ng-ssr/core/adapter';
import { isOfHttp2 } from './http2-requests.ts';
import { http } from './node-http.ts';

/** A request of node:http, or of node:http2's compatibility API. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** The response that goes with it. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** The core's view of a Node request: headers and content are read on demand. */
export class NodeExchange implements Exchange {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly target: string;
  readonly targetBelowMount: string;
  /** @internal */
  parsedRequest: object | undefined;
  readonly method: string;

  /** @param target - As in {@link wholeTarget} where there may be a mount. */
  constructor(
    request: NodeRequest,
    response: NodeResponse,
    target: string = request.url ?? '/',
    targetBelowMount: string = request.url ?? '/',
  ) {
    this.request = request;
    this.response = response;
    this.target = target;
    this.targetBelowMount = targetBelowMount;
    this.method = request.method ?? 'GET';
  }

  get encrypted(): boolean {
    return (this.request.socket as Partial<TLSSocket>).encrypted === true;
  }

  get localPort(): number | undefined {
    // Some serverless platforms have no socket. One that was closed does not know its port any more.
    const { socket } = this.request as { readonly socket?: Socket };
    return socket?.destroyed === true ? 0 : socket?.localPort;
  }

  get status(): number {
    return this.response.statusCode;
  }

  header(name: string): string | undefined {
    // Node's `headers` keeps only the first of two Host headers.
    if (name === 'host') return hostOf(this.request);
    const raw = rawHeader(this.request, name);
    return raw === null ? toText(this.request.headers[name]) : raw;
  }

  async content(maxBytes: number): Promise<Uint8Array | undefined> {
    const { request, parsed } = this;
    // An earlier body parser has read the stream to its end.
    if (parsed !== undefined && request.readableEnded) {
      if (parsed instanceof Uint8Array) return parsed;
      return Buffer.from(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Reads to the end, at any length: a request that is left unread closes its connection.
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) chunks.push(chunk);
    }
    return bytes > maxBytes ? undefined : Buffer.concat(chunks);
  }

  onDisconnect(listener: () => void): () => void {
    const { response } = this;
    // A response also emits `close` after its last byte.
    const onClose = (): void => {
      if (!isFinished(response)) listener();
    };
    if (isClosed(response)) onClose();
    response.once('close', onClose);
    return () => void response.off('close', onClose);
  }

  earlyHints(links: readonly string[]): void {
    const { request, response } = this;
    try {
      if (response.headersSent || isClosed(response) || !takesInterim(request, response)) return;
      response.writeEarlyHints({ link: [...links] });
    } catch {
      // Middleware may have put another response in place; the page comes without hints.
    }
  }

  /** The content as a body parser has parsed it. */
  protected get parsed(): unknown {
    return (this.request as { body?: unknown }).body;
  }

  *headers(): Iterable<readonly [string, string]> {
    const { authority, headers } = this.request as Http2ServerRequest;
    // Over HTTP/2 a page gets a Host header, too (RFC 9113 section 8.3.1).
    if (authority && headers.host === undefined) yield ['host', authority];
    for (const [name, value] of Object.entries(this.request.headers)) {
      if (value === undefined || name.charCodeAt(0) === 0x3a /* : */) continue;
      if (typeof value === 'object') for (const line of value) yield [name, line];
      else yield [name, String(value)];
    }
  }
}

/** By request: what the core has read of it, until its next exchange takes it over. */
const kept = new WeakMap<NodeRequest, object>();

/** Keeps what the core has read of a request that was not a hit. To be called before user code gets the request. */
export function keepParsed({ request, parsedRequest }: NodeExchange): void {
  if (parsedRequest !== undefined) kept.set(request, parsedRequest);
}

/**
 * Passes on to a new exchange what was kept of its request: the core reads again only what has changed. Nothing is kept
 * before the first look-up, so that a hit there need not ask.
 */
export function takeParsed<Own extends NodeExchange>(exchange: Own): Own {
  const { request } = exchange;
  const parsedRequest = kept.get(request);
  if (parsedRequest === undefined) return exchange;
  // Another exchange of the request, even a concurrent one, must not take it, too.
  kept.delete(request);
  exchange.parsedRequest = parsedRequest;
  return exchange;
}

/** Whether a response is closed: it does not emit `close` again. One of HTTP/2 has no `destroyed`. */
export function isClosed(response: object): boolean {
  const { destroyed, stream } = response as Partial<Http2ServerResponse>;
  return destroyed === true || stream?.destroyed === true;
}

/** Whether a response has been sent to its last byte. An error would leave the listener, and end the process. */
function isFinished(response: NodeResponse): boolean {
  try {
    return response.writableFinished;
  } catch {
    return false;
  }
}

/**
 * Whether an interim response can be written. HTTP/1.0 has none (RFC 9110 section 15.2). Serverless platforms
 * parse what a response writes to a stand-in for the socket, and would take a 103 for the answer. A
 * pipelined request has no socket yet.
 */
function takesInterim(request: NodeRequest, { socket }: NodeResponse): boolean {
  if (isOfHttp2(request)) return true;
  const { httpVersionMajor, httpVersionMinor } = request;
  return httpVersionMajor === 1 && httpVersionMinor >= 1 && socket instanceof Socket;
}

/** Private properties of node:http's requests. */
interface Symbols {
  /** `headers`, or null as long as it has not been read. */
  readonly headers: symbol;
  /** How many strings of `rawHeaders` count, by the server's `maxHeadersCount`. */
  readonly count: symbol;
}

/** Undefined where requests have none of these, or others do more than Node's. */
const SYMBOLS = findSymbols();

/**
 * A header of a request, read from its raw headers: Node parses all of them when `headers` is first read, which takes
 * longer than the few that a hit needs.
 *
 * @param name - In lower case.
 * @returns null where only `headers` knows: it has been read, and may have been changed by middleware, or the
 * header has several lines, which it may join.
 */
function rawHeader(request: object, name: string): string | undefined | null {
  if (SYMBOLS === undefined) return null;
  const internal = request as { readonly [symbol: symbol]: unknown };
  // A wrapper around Node's request may have put headers of its own in place of the getter.
  if (internal[SYMBOLS.headers] !== null || Object.hasOwn(request, 'headers')) return null;
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
  const headers = find('kHeaders');
  const count = find('kHeadersCount');
  if (headers === undefined || count === undefined) return undefined;
  if (values[headers] !== null || values[count] !== 0) return undefined;
  return request.headers === values[headers] ? { headers, count } : undefined;
}

/**
 * Serverless platforms pass numbers as values; and `headers` inherits from Object, so a page that
 * varies by `constructor` would find a function.
 */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'number' ? String(value) : undefined;
}

/** Host, and under HTTP/2 `:authority`, which must agree with it (RFC 9113 section 8.3.1). */
function hostOf(request: NodeRequest): string | undefined {
  const { rawHeaders } = request;
  // Requests of serverless platforms have only `headers`.
  if (!rawHeaders?.length) return toText(request.headers.host);
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const isHost = name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host');
    if (!isHost && !(name === ':authority' && isOfHttp2(request))) continue;
    const value = rawHeaders[i + 1]!;
    if (host === undefined) host = value;
    else if (value !== host || !isOfHttp2(request)) host = `${host}, ${value}`;
  }
  return host;
}

/**
 * The exchange of a request from Connect, Express or a dev server: below a mount they remove its path
 * from `url`, and keep `originalUrl`. In Express an empty `baseUrl` means that there is no mount.
 */
export function toExchange(
  { browserFolder }: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
): NodeExchange {
  const { url = '/', originalUrl, baseUrl } = request as Mounted;
  if (originalUrl === undefined) return new NodeExchange(request, response, url, url);
  // The dev server of `ng serve` removes the base href, as a mount does.
  const isMounted = baseUrl !== '' || browserFolder === undefined;
  return new NodeExchange(request, response, wholeTarget(url, originalUrl, isMounted), url);
}

interface Mounted {
  readonly url?: string;
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * The target for the application: `url` as middleware has rewritten it, or `originalUrl` where a mount
 * has removed its path from `url`, since the application was built for full URLs.
 *
 * @param isMounted - Whether a mount may have removed its path.
 */
export function wholeTarget(
  url: string,
  originalUrl: string | undefined,
  isMounted: boolean,
): string {
  if (!isMounted || originalUrl === undefined) return url;
  // Express puts a slash before a query without a path.
  const isRest =
    originalUrl.endsWith(url) || (url[0] === '/' && originalUrl.endsWith(url.slice(1)));
  return isRest ? originalUrl : url;
}
