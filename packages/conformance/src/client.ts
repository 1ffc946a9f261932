import { RawConnection } from './raw-client.ts';

/** One request of a case, in words that every HTTP version has. */
export interface ClientRequest {
  /** GET when absent. */
  readonly method?: string;
  /** Path and query, exactly as they are to be sent. */
  readonly target: string;
  /** Fields to send; `host` (HTTP/2: `:authority`) is {@link FIXTURE_HOST} unless it is here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One response, in words that every HTTP version has. */
export interface ClientResponse {
  readonly status: number;
  /** The fields as received; several lines of one name are several entries. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Sends a case's requests; a suite over HTTP/2 or of a fetch handler brings its own. */
export interface ConformanceClient {
  /** @returns The whole response; must not follow redirects or decode content. */
  request(request: ClientRequest): Promise<ClientResponse>;
}

/** The host that requests name unless they say otherwise. */
export const FIXTURE_HOST = 'shop.example';

/**
 * The bytes of an HTTP/1.1 request.
 *
 * @param request - What to ask; a body gets its Content-Length.
 */
export function requestBytes(request: ClientRequest): string {
  const fields = { host: FIXTURE_HOST, ...request.headers };
  const body = request.body ?? '';
  const lines = [`${request.method ?? 'GET'} ${request.target} HTTP/1.1`];
  for (const [name, value] of Object.entries(fields)) lines.push(`${name}: ${value}`);
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
 * The value of a field, several lines joined by `, `, or undefined when it is absent.
 *
 * @param response - Where to look.
 * @param name - The field name in any case.
 */
export function fieldOf(
  response: Pick<ClientResponse, 'fields'>,
  name: string,
): string | undefined {
  const values = fieldLines(response, name);
  return values.length ? values.join(', ') : undefined;
}

/**
 * The values of all lines of a field.
 *
 * @param response - Where to look.
 * @param name - The field name in any case.
 */
export function fieldLines(response: Pick<ClientResponse, 'fields'>, name: string): string[] {
  const wanted = name.toLowerCase();
  return response.fields
    .filter(([field]) => field.toLowerCase() === wanted)
    .map(([, value]) => value);
}
