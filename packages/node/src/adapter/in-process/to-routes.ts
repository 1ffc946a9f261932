import { AsyncLocalStorage } from 'node:async_hooks';
import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import {
  type RouteRequest,
  type RouteResponse,
  type Routes,
  toWebStream,
} from '@ng-ssr/core/adapter';
import { http } from '../node-http.ts';
import type { NodeListener } from '../node-listener.ts';
import { MemorySocket } from './memory-socket.ts';

/** Forwarded cookies and tokens may be long; they have passed the server's own limit. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Content of an announced length up to this is read before the call is answered. */
const WHOLE_BYTES = 64 * 1024;

/**
 * A listener of node:http as {@link Routes}: requests reach it over connections within the process, which node:http's
 * own client and server write and parse. So requests and responses are those of node:http in all they do, whatever
 * frameworks make of them, and cost a third of those over a loopback socket.
 */
export function toRoutes(listener: NodeListener): Routes {
  // Only a server with `inProcess` calls needs connections.
  let agents: Readonly<Record<string, Agent>> | undefined;
  return (request) => {
    agents ??= createAgents(listener);
    return send(request, agents[request.url.protocol]!);
  };
}

function createAgents(listener: NodeListener): Readonly<Record<string, Agent>> {
  const server = http.createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 },
    (request, response) => {
      const { runRequest } = request.socket as unknown as MemorySocket;
      runRequest!(() => listener(request, response));
    },
  );
  // Connections outlive the call that opens them.
  const runAtStart = AsyncLocalStorage.snapshot();
  const createAgent = (encrypted: boolean): Agent => {
    const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 32 });
    const createConnection = (): MemorySocket =>
      runAtStart(() => {
        const [client, own] = MemorySocket.pair(encrypted);
        server.emit('connection', own);
        return client;
      });
    return Object.assign(agent, { createConnection });
  };
  return { 'http:': createAgent(false), 'https:': createAgent(true) };
}

function send(
  { method, url, headers, body, signal }: RouteRequest,
  agent: Agent,
): Promise<RouteResponse> {
  const runHere = AsyncLocalStorage.snapshot();
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      ...{ agent, method, host: 'localhost', path: url.pathname + url.search },
      ...{ headers: toHeaders(headers, body), maxHeaderSize: MAX_HEADER_BYTES },
    });
    const abort = (): void => void outgoing.destroy(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    outgoing
      .once('socket', (socket) => {
        const { peer } = socket as unknown as MemorySocket;
        peer.runRequest = runHere;
        peer.localPort = Number(url.port);
      })
      .once('response', (incoming) => {
        // As undici does: content that the route has not waited for is not read on.
        incoming.once('end', () => !outgoing.writableEnded && outgoing.destroy());
        resolve(toResponse(method, incoming));
      })
      .on('error', reject)
      .once('close', () => {
        signal.removeEventListener('abort', abort);
        // Such as after a 101 (Switching Protocols), which is not a response to a call.
        reject(new Error('the connection was closed without a response'));
      });
    write(outgoing, body, signal);
  });
}

function toHeaders(headers: Headers, body: RouteRequest['body']): OutgoingHttpHeaders {
  const given: OutgoingHttpHeaders = Object.fromEntries(headers);
  if (body instanceof Uint8Array) given['content-length'] = body.byteLength;
  else if (body !== null) given['transfer-encoding'] = 'chunked';
  return given;
}

function write(
  outgoing: ClientRequest,
  body: RouteRequest['body'],
  signal: RouteRequest['signal'],
): void {
  if (!(body instanceof ReadableStream)) return void outgoing.end(body ?? undefined);
  const content = Readable.fromWeb(body as NodeStream<Uint8Array>);
  content.on('error', (error) => outgoing.destroy(error)).pipe(outgoing);
  outgoing.once('close', () => content.destroy(signal.reason as Error | undefined));
}

async function toResponse(method: string, incoming: IncomingMessage): Promise<RouteResponse> {
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  const body = await toContent(method, status, incoming);
  return { status, statusText, headers, body };
}

async function toContent(
  method: string,
  status: number,
  incoming: IncomingMessage,
): Promise<RouteResponse['body']> {
  const length = Number(incoming.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (method === 'HEAD' || status === 204 || status === 304 || length === 0) {
    incoming.resume();
    return null;
  }
  if (length > WHOLE_BYTES) return toWebStream(incoming);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
