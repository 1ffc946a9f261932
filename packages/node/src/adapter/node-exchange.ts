import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Exchange, SsrHandler } from '@ng-ssr/core';

/** A request of node:http, or of node:http2's compatibility API. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** The response that goes with it. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** The core's view of a Node request: nothing is read before it is asked for. */
export class NodeExchange implements Exchange {
  /** @param target - As in {@link wholeTarget} where there may be a mount. */
  constructor(
    readonly request: NodeRequest,
    readonly response: NodeResponse,
    readonly target: string = request.url ?? '/',
    readonly targetBelowMount: string = request.url ?? '/',
  ) {}

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get encrypted(): boolean {
    return (this.request.socket as Partial<TLSSocket>).encrypted === true;
  }

  get status(): number {
    return this.response.statusCode;
  }

  header(name: string): string | undefined {
    // Node's own `headers` keeps the first of two Host fields, and would hide the second.
    if (name === 'host') return hostOf(this.request);
    return toText(this.request.headers[name]);
  }

  async content(maxBytes: number): Promise<Uint8Array | undefined> {
    const { request, parsed } = this;
    // A body parser in front of us has read the stream to its end.
    if (parsed !== undefined && request.readableEnded) {
      if (parsed instanceof Uint8Array) return parsed;
      return Buffer.from(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Read to its end, whatever its length: a request that is left half-way takes the connection along.
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) chunks.push(chunk);
    }
    return bytes > maxBytes ? undefined : Buffer.concat(chunks);
  }

  onDisconnect(listener: () => void): () => void {
    const { response } = this;
    // It closes behind its last byte, too.
    const hear = (): void => {
      if (!response.writableFinished) listener();
    };
    if (response.destroyed) hear();
    response.once('close', hear);
    return () => void response.off('close', hear);
  }

  /** What a body parser has made of the content. */
  protected get parsed(): unknown {
    return (this.request as { body?: unknown }).body;
  }

  *headers(): Iterable<readonly [string, string]> {
    const { authority, headers } = this.request as Http2ServerRequest;
    // A page sees the same request over HTTP/2 (RFC 9113 section 8.3.1).
    if (authority && headers.host === undefined) yield ['host', authority];
    for (const [name, value] of Object.entries(this.request.headers)) {
      if (value === undefined || name.charCodeAt(0) === 0x3a /* : */) continue;
      if (typeof value === 'object') for (const line of value) yield [name, line];
      else yield [name, String(value)];
    }
  }
}

/**
 * Serverless platforms have numbers among their values; and `headers` inherits from Object, so that a
 * page which varies by `constructor` finds a function.
 */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'number' ? String(value) : undefined;
}

/** Host, and under HTTP/2 `:authority`, which must agree with it (RFC 9113 section 8.3.1). */
function hostOf({ rawHeaders, headers, httpVersionMajor }: NodeRequest): string | undefined {
  // Requests that serverless platforms make have `headers` alone.
  if (!rawHeaders?.length) return toText(headers.host);
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const isHost = name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host');
    if (!isHost && !(httpVersionMajor >= 2 && name === ':authority')) continue;
    const value = rawHeaders[i + 1]!;
    if (host === undefined) host = value;
    else if (httpVersionMajor < 2 || value !== host) host = `${host}, ${value}`;
  }
  return host;
}

/**
 * The exchange of a request that Connect, Express or a dev server may hand on: below a mount they take
 * its part off `url`, and leave `originalUrl`. Express says in `baseUrl` that there is none.
 */
export function toExchange(
  { browserFolder }: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
): NodeExchange {
  const { url = '/', originalUrl, baseUrl } = request as Mounted;
  if (originalUrl === undefined) return new NodeExchange(request, response, url, url);
  // The dev server of `ng serve` takes the base href off, as a mount does.
  const isMounted = baseUrl !== '' || browserFolder === undefined;
  return new NodeExchange(request, response, wholeTarget(url, originalUrl, isMounted), url);
}

interface Mounted {
  readonly url?: string;
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * The target an application is asked for: what middleware has made of it, and the whole of it below a
 * mount, which takes its part off `url` and leaves `originalUrl`. The application was built for the
 * whole.
 *
 * @param isMounted - Whether a mount may have taken something off.
 */
export function wholeTarget(
  url: string,
  originalUrl: string | undefined,
  isMounted: boolean,
): string {
  if (!isMounted || originalUrl === undefined) return url;
  // Express puts a slash in front of a query that stands alone.
  const isRest =
    originalUrl.endsWith(url) || (url[0] === '/' && originalUrl.endsWith(url.slice(1)));
  return isRest ? originalUrl : url;
}
