import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createNodeSsrServer, withRouter } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { stress } from '../../conformance/src/fuzz/extent.ts';
import { fuzzOptions } from '../../conformance/src/fuzz/fuzz-options.ts';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { requestsOfNode } from './socket-hits/requests-of-node.ts';
import { HIT, requestStream } from './socket-hits/request-streams.ts';

const { requests: streams, seed } = fuzzOptions(stress(1500));
const LAST = 'GET /last HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
/** Turns of the event loop, in which the server answers what it has read. */
const TURNS = 10;
/** The answer of node:http's parser to malformed bytes. */
const BAD_REQUEST = /HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/;
/** The answer to the last request of a client. */
const LAST_ANSWER = /\r\n\r\nthe last$/;
/** More than node:http holds back for a client before it stops to read from it. */
const LARGE_BYTES = 70_000;
const PARALLEL = 16;

test(
  `whatever a client sends, it gets the bytes that node:http alone would answer (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const folder = writeBuiltSite({
      'browser/index.html': prerendered('x'.repeat(LARGE_BYTES)),
      'browser/robots.txt': 'Allow: /',
    });
    const [withSocketHits, without] = [await start(folder, true), await start(folder, false)];
    const random = new Random(seed);
    const differences: unknown[] = [];
    let left = streams;
    const run = async (): Promise<void> => {
      while (left-- > 0 && differences.length < 5) {
        const pieces = requestStream(random);
        const [one, other] = await Promise.all([
          send(withSocketHits, pieces),
          send(without, pieces),
        ]);
        if (!areSame(one, other)) differences.push({ pieces, one, other });
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, run));
    expect(differences).toEqual([]);
    const read = await requestsOfNode(() => send(withSocketHits, [HIT, HIT, HIT, HIT]));
    expect(read).toBe(3);
  },
);

async function start(folder: string, hasSocketHits: boolean): Promise<Server> {
  const ssr = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder },
    features: [withRouter()],
    onError: ({ code, message }) => {
      if (code !== 'NG_SSR_HOST_NOT_ALLOWED') expect.fail(message);
    },
  });
  onTestFinished(() => ssr.close());
  // At once, so that the order of answers and of what the client sends next is the same in each run.
  ssr.router.all('/*', (request, response) => {
    response.writeHead(404, { 'x-request': `${request.method} ${request.url}` }).end('route');
  });
  ssr.router.get('/last', (_request, response) => {
    response.writeHead(200, { 'content-length': 8 }).end('the last');
  });
  // Answered when the client has sent more.
  ssr.router.all('/slow', async (_request, response) => {
    for (let turn = 0; turn < 2 * TURNS; turn++) await setImmediate();
    response.end('slow');
  });
  await ssr.ready();
  const { server } = await ssr.listen({
    port: 0,
    host: '127.0.0.1',
    announce: false,
    shutdown: { graceMs: 0 },
  });
  if (!hasSocketHits) server.on('request', () => undefined);
  return server;
}

/** @returns all bytes of the answers, without the times in Date. */
function send(server: Server, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sent = 0;
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(toText(chunks)));
    const feed = async (accepted: Socket): Promise<void> => {
      for (const piece of [...pieces, LAST]) {
        const bytes = Buffer.from(piece, 'latin1');
        if (socket.destroyed) return;
        socket.write(bytes);
        sent += bytes.length;
        while (accepted.bytesRead < sent && !accepted.destroyed) await setImmediate();
        for (let turn = 0; turn < TURNS; turn++) await setImmediate();
      }
      // Where the last request is content of another, nothing ends the connection.
      for (let turn = 0; turn < 10 * TURNS && !socket.destroyed; turn++) await setImmediate();
      socket.end();
    };
    const onConnection = (accepted: Socket): void => {
      if (accepted.remotePort !== socket.localPort) return;
      server.off('connection', onConnection);
      void feed(accepted);
    };
    server.on('connection', onConnection).setMaxListeners(0);
    socket.once('end', () => socket.end());
  });
}

function toText(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks)
    .toString('latin1')
    .replace(/^Date: .*$/gm, 'Date: ');
}

/**
 * Whether two clients got the same answers. Malformed bytes end a connection: node:http then drops answers to
 * requests of the same read, more of them where it has read from a stream and not from the handle itself.
 */
function areSame(ahead: string, nodes: string): boolean {
  if (ahead === nodes) return true;
  if (LAST_ANSWER.test(nodes) || LAST_ANSWER.test(ahead)) return false;
  const [one, other] = [ahead, nodes].map((text) => text.replace(BAD_REQUEST, '')) as [
    string,
    string,
  ];
  return one.startsWith(other) || other.startsWith(one);
}
