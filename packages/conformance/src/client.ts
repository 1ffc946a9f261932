import { RawConnection } from './raw-client.ts';

/** One request of a case, independent of the HTTP version. */
export interface ClientRequest {
  /** Default: GET. */
  readonly method?: string;
  /** Path and query, sent unchanged. */
  readonly target: string;
  /** Headers to send; `host` (HTTP/2: `:authority`) defaults to {@link FIXTURE_HOST}. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One response, independent of the HTTP version. */
export interface ClientResponse {
  readonly status: number;
  /** The headers as received; several lines of one name are several entries. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Sends a case's requests; a suite over HTTP/2 or of a fetch handler provides its own. */
export interface ConformanceClient {
  /** @returns The whole response; must not follow redirects or decode content. */
  request(request: ClientRequest): Promise<ClientResponse>;
}

/** The default host of requests. */
export const FIXTURE_HOST = 'shop.example';

/** The Accept-Encoding of browsers. */
export const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

/**
 * The bytes of an HTTP/1.1 request.
 *
 * @param request - The request; a body gets its Content-Length.
 */
export function requestBytes(request: ClientRequest): string {
  const headers = { host: FIXTURE_HOST, ...request.headers };
  const body = request.body ?? '';
  const lines = [`${request.method ?? 'GET'} ${request.target} HTTP/1.1`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (request.body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${Buffer.from(body).toString('latin1')}`;
}

/**
 * A client that opens one HTTP/1.1 connection per request.
 *
 * @param port - The server's port on this machine.
 */
export function createHttp1Client(port: number): ConformanceClient {
  return {
    async request(request) {
      const connection = await RawConnection.open(port);
      try {
        connection.write(requestBytes(request));
        return await connection.read(request.method);
      } finally {
        connection.end();
      }
    },
  };
}

/**
 * The value of a header, several lines joined by `, `, or undefined when it is absent.
 *
 * @param response - The response to read.
 * @param name - The header name in any case.
 */
export function headerOf(
  response: Pick<ClientResponse, 'headers'>,
  name: string,
): string | undefined {
  const values = headerLines(response, name);
  return values.length ? values.join(', ') : undefined;
}

/**
 * The values of all lines of a header.
 *
 * @param response - The response to read.
 * @param name - The header name in any case.
 */
export function headerLines(response: Pick<ClientResponse, 'headers'>, name: string): string[] {
  const wanted = name.toLowerCase();
  return response.headers
    .filter(([header]) => header.toLowerCase() === wanted)
    .map(([, value]) => value);
}
