import { Agent, type AgentOptions, type ClientRequest, request } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import {
  brotliDecompressSync,
  type BrotliOptions,
  gunzipSync,
  type ZstdOptions,
  zstdDecompressSync,
} from 'node:zlib';

export interface Asked {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** When the client leaves, whatever has come; undefined if it stays. */
  readonly leavesAfterMs?: number | undefined;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** A way to a server. */
export interface Way {
  /** @returns undefined if the client has left. */
  ask(asked: Asked): Promise<Got | undefined>;
  /** All bytes that have come, as they came; undefined if the way does not keep them. */
  readonly wire?: string | undefined;
  close(): void;
}

/** Keeps what its connections have received, whichever response it belongs to. */
class WatchingAgent extends Agent {
  wire = '';

  override createConnection(
    ...parts: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    const socket = super.createConnection(...parts) as Duplex;
    socket.on('data', (chunk: Buffer) => (this.wire += chunk.toString('latin1')));
    return socket;
  }
}

/** HTTP/1.1 over kept connections: one of a client, or those of a proxy, which many clients use. */
export function http1Way(port: number, isOfOne: boolean): Way {
  const options: AgentOptions = { keepAlive: true, ...(isOfOne && { maxSockets: 1 }) };
  const agent = isOfOne ? new WatchingAgent(options) : new Agent(options);
  const ask = (asked: Asked): Promise<Got | undefined> =>
    new Promise((resolve, reject) => {
      const { method, path, headers, leavesAfterMs } = asked;
      const sent: ClientRequest = request({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers,
        agent,
      });
      let hasLeft = false;
      sent.on('error', (error) => {
        if (hasLeft) return;
        // The server has closed the idle connection meanwhile.
        if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET')
          resolve(ask(asked));
        else reject(error);
      });
      if (leavesAfterMs !== undefined) {
        sent.on('finish', () =>
          setTimeout(() => {
            hasLeft = true;
            sent.destroy();
            resolve(undefined);
          }, leavesAfterMs),
        );
      }
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => hasLeft || reject(error));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: Buffer.concat(chunks) });
        });
      });
      sent.end();
    });
  return {
    ask,
    get wire() {
      return agent instanceof WatchingAgent ? agent.wire : undefined;
    },
    close: () => agent.destroy(),
  };
}

/** HTTP/2 without encryption. */
export function http2Way(port: number): Way {
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(`http://127.0.0.1:${port}`);
      session.on('error', () => undefined);
    }
    return session;
  };
  return {
    ask: ({ method, path, headers, leavesAfterMs }) =>
      new Promise((resolve, reject) => {
        const stream = open().request({ ':method': method, ':path': path, ...headers });
        const chunks: Buffer[] = [];
        let head: Record<string, unknown> = {};
        stream.on('response', (received) => (head = received));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', reject);
        stream.on('close', () => reject(new Error(`the response to ${path} has no end`)));
        stream.on('end', () => {
          resolve({ status: Number(head[':status']), headers: head, body: Buffer.concat(chunks) });
        });
        if (leavesAfterMs !== undefined) {
          setTimeout(() => {
            stream.destroy();
            resolve(undefined);
          }, leavesAfterMs);
        }
      }),
    close: () => session?.close(),
  };
}

/** Before what is encoded against a dictionary: its mark and the digest. */
const MARKS = { dcb: 4 + 32, dcz: 8 + 32 };

/** @throws Error if the content does not end as its encoding does. */
export function decode({ headers, body }: Got, dictionary: Buffer): Buffer {
  if (body.length === 0) return body;
  switch (headers['content-encoding']) {
    case undefined:
      return body;
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    case 'dcb':
      // Node's types have the option for Zstandard alone.
      return brotliDecompressSync(body.subarray(MARKS.dcb), { dictionary } as BrotliOptions);
    case 'dcz':
      return zstdDecompressSync(body.subarray(MARKS.dcz), { dictionary } as ZstdOptions);
    default:
      throw new Error(`an encoding that no client accepts: ${String(headers['content-encoding'])}`);
  }
}
