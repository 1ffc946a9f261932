import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Answer } from '@ng-ssr/core/adapter';
import { http } from '../node-http.ts';
import type { AnswerBytes } from './answer-bytes.ts';

/** IMF-fixdate (RFC 9110 section 5.6.7). */
const DATE = /Date: [A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/;
const CONTENT = Buffer.from('content');
const HEADERS = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', '7', 'ETag', '"1"'];

/** One of each kind of answer. */
const SAMPLES: readonly (readonly [method: string, answer: Answer])[] = [
  [
    'GET',
    {
      status: 200,
      headers: [...HEADERS, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=\u00e9'],
      body: CONTENT,
    },
  ],
  ['HEAD', { status: 200, headers: HEADERS, body: null }],
  ['GET', { status: 304, headers: ['ETag', '"1"', 'Cache-Control', 'no-cache'], body: null }],
  ['GET', { status: 404, headers: HEADERS, body: CONTENT }],
  ['GET', { status: 301, headers: ['Location', '/', 'Content-Length', '0'], body: null }],
  ['GET', { status: 206, headers: [...HEADERS, 'Content-Range', 'bytes 0-6/9'], body: CONTENT }],
];

/**
 * Compares the bytes with those that node:http writes for the same answers, over a connection in memory.
 *
 * @returns undefined if they are the same, but for the time in Date.
 */
export async function differenceToNode(bytes: AnswerBytes): Promise<string | undefined> {
  const server = http.createServer();
  server.keepAliveTimeout = bytes.keepAliveTimeoutMs;
  for (const [method, answer] of SAMPLES) {
    const own = bytes.of(answer, method === 'HEAD', 0);
    const written = toText(own ?? []);
    const expected = toText(await writtenByNode(server, method, answer));
    if (written !== expected) return JSON.stringify({ written, expected });
  }
  return undefined;
}

/** The bytes of node:http's answer. */
async function writtenByNode(server: Server, method: string, answer: Answer): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const closed = once(server, 'request').then(async ([, response]) => {
    const { status, headers, body } = answer;
    (response as ServerResponse).writeHead(status, headers as string[]).end(body ?? undefined);
    await once(response as ServerResponse, 'close');
  });
  server.emit('connection', connection);
  connection.push(`${method} / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await closed;
  connection.destroy();
  return chunks;
}

function toText(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString('latin1').replace(DATE, 'Date: ');
}
