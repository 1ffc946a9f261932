import { connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import {
  FIXTURE_HOST,
  type ClientRequest,
  type ClientResponse,
  type ConformanceClient,
} from './client.ts';

/**
 * A client that opens one HTTP/2 connection without encryption (h2c with prior knowledge) per
 * request, for servers of `node:http2`.
 *
 * @param port - The server's port on this machine.
 */
export function createHttp2Client(port: number): ConformanceClient {
  return {
    request: (request) =>
      new Promise<ClientResponse>((resolve, reject) => {
        const session = connect(`http://127.0.0.1:${port}`);
        const fail = (error: Error) => {
          session.destroy();
          reject(error);
        };
        session.once('error', fail);
        const stream = session.request(toHeaders(request), {
          endStream: request.body === undefined,
        });
        const chunks: Buffer[] = [];
        let all: ClientResponse['headers'] = [];
        let status = 0;
        stream.once('error', fail);
        stream.once('response', (headers, _flags, raw: readonly string[]) => {
          status = Number(headers[constants.HTTP2_HEADER_STATUS]);
          all = toPairs(raw).filter(([name]) => !name.startsWith(':'));
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          session.close();
          resolve({ status, headers: all, body: Buffer.concat(chunks) });
        });
        stream.once('close', () => {
          if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
            fail(new Error(`The stream was reset with code ${stream.rstCode}.`));
          }
        });
        if (request.body !== undefined) stream.end(request.body);
      }),
  };
}

/**
 * Sends Host as `:authority` (RFC 9113 section 8.3.1), and names in lower case. A request that sets
 * `:authority` itself, empty for none, sends its Host unchanged.
 */
function toHeaders({ method = 'GET', target, headers, body }: ClientRequest): OutgoingHttpHeaders {
  const all = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (all[':authority'] === undefined) {
    all[':authority'] = all['host'] ?? FIXTURE_HOST;
    delete all['host'];
  } else if (all[':authority'] === '') {
    delete all[':authority'];
  }
  return {
    ':method': method,
    ':path': target,
    ...all,
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
}

function toPairs(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) {
    pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  }
  return pairs;
}
