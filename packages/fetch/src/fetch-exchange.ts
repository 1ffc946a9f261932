import type { Exchange } from '@ng-ssr/core/adapter';
import { SsrError } from '@ng-ssr/core/neutral';
import { localPortOf } from './local-port.ts';
import { type SrvxRequest, targetWithoutPath } from './received-target.ts';
import type { EarlierResponse } from './to-response.ts';

const SLASH = 0x2f;
/** After `https://`. It also does for `http://`, since no authority is empty. */
const AUTHORITY_START = 8;

/** The core's view of a Request: makes no URL object, and reads headers on demand. */
export class FetchExchange implements Exchange {
  readonly request: Request;
  readonly earlier: EarlierResponse | undefined;
  /** @internal */
  parsedRequest: object | undefined;
  readonly method: string;
  readonly target: string;
  readonly #url: string;
  readonly #authorityEnd: number;
  readonly #handler: object | undefined;
  readonly #connection: unknown;

  /**
   * @param handler - Whose servers were remembered.
   * @param connection - What the runtime has passed with the request.
   */
  constructor(request: Request, earlier?: EarlierResponse, handler?: object, connection?: unknown) {
    this.request = request;
    this.method = request.method;
    this.#handler = handler;
    this.#connection = connection;
    this.earlier = earlier;
    let url = '';
    try {
      url = request.url;
    } catch {
      // Some servers parse it only now: an empty target is as invalid.
    }
    // In Bun the URL is only a path where Host names no host.
    const end = url.charCodeAt(0) === SLASH ? 0 : url.indexOf('/', AUTHORITY_START);
    this.#url = url;
    this.#authorityEnd = end === -1 ? url.length : end;
    const path = url && (url.slice(this.#authorityEnd) || '/');
    this.target = targetWithoutPath(request, url, this.#authorityEnd) ?? path;
  }

  get encrypted(): boolean {
    // srvx trusts X-Forwarded-Proto of any client for the scheme: the socket is reliable.
    const socket = (this.request as SrvxRequest).runtime?.node?.req.socket;
    if (socket !== undefined) return 'encrypted' in socket && socket.encrypted === true;
    return this.#url.startsWith('https:');
  }

  get localPort(): number | undefined {
    return localPortOf(this, this.#connection, this.#handler);
  }

  get status(): number {
    return this.earlier?.status ?? 200;
  }

  header(name: string): string | undefined {
    const value = this.request.headers.get(name);
    if (value !== null) return value;
    // HTTP/2 has no Host, and a Request that a program creates may have none.
    if (name !== 'host' || this.#authorityEnd === 0) return undefined;
    return this.#url.slice(this.#url.indexOf('://') + 3, this.#authorityEnd);
  }

  async content(maxBytes: number): Promise<Uint8Array | undefined> {
    const { body, bodyUsed } = this.request;
    if (bodyUsed) {
      const message = 'the body of the request was read before the request was passed to ng-ssr';
      throw new SsrError('NG_SSR_RENDER_FAILED', message);
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Reads to the end, at any length: servers close the connection of a body that is left unread.
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) chunks.push(chunk);
    }
    return bytes > maxBytes ? undefined : join(chunks, bytes);
  }

  onDisconnect(listener: () => void): () => void {
    // Deno warns when a server reads the signal, and aborts it after every answer, too.
    if ('Deno' in globalThis) return () => undefined;
    const { signal } = this.request;
    if (signal.aborted) listener();
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  }

  headers(): Iterable<readonly [string, string]> {
    return this.request.headers;
  }
}

/** By request: what the core has read of it, until its next exchange takes it over. */
const kept = new WeakMap<Request, object>();

/** Keeps what the core has read of a request that was not a hit. To be called before user code gets the request. */
export function keepParsed({ request, parsedRequest }: FetchExchange): undefined {
  if (parsedRequest !== undefined) kept.set(request, parsedRequest);
}

/**
 * Passes on to a new exchange what was kept of its request: the core reads again only what has changed. Nothing is kept
 * before the first look-up, so that a hit there need not ask.
 */
export function takeParsed(exchange: FetchExchange): FetchExchange {
  const { request } = exchange;
  const parsedRequest = kept.get(request);
  if (parsedRequest === undefined) return exchange;
  // Another exchange of the request, even a concurrent one, must not take it, too.
  kept.delete(request);
  exchange.parsedRequest = parsedRequest;
  return exchange;
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
