import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { RequestEvent } from '@ng-ssr/core';
import { createFastifySsrServer, type FastifySsrServerOptions } from '@ng-ssr/fastify/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import {
  ask,
  defineSocketHitsSuite,
  HITS,
  open,
  REQUEST,
  start,
} from '../../node/test/socket-hits/define-socket-hits-suite.ts';
import { requestsOfNode } from '../../node/test/socket-hits/requests-of-node.ts';
import { selfSigned } from '../../node/test/self-signed.ts';

const pair = selfSigned();

defineSocketHitsSuite(createFastifySsrServer);

test("a response class of the application's own sees every hit", async () => {
  let heads = 0;
  class OwnResponse extends ServerResponse {
    override writeHead(...parameters: unknown[]): this {
      heads++;
      return Reflect.apply(super.writeHead, this, parameters) as this;
    }
  }
  const { port } = await start((options) =>
    createFastifySsrServer({
      ...options,
      fastify: { http: { ServerResponse: OwnResponse } } as FastifySsrServerOptions['fastify'],
    }),
  );
  const other = await open(port);
  for (let i = 0; i < HITS; i++) await ask(other, REQUEST);
  heads = 0;
  const connection = await open(port);
  const read = await requestsOfNode(async () => {
    for (let i = 0; i < HITS; i++) await ask(connection, REQUEST);
  });
  expect([read, heads]).toEqual([HITS, HITS]);
});

describe.skipIf(pair === undefined)('over TLS', () => {
  test('hits are answered before node:http reads them', async () => {
    const { port, ssr } = await startSecure();
    const other = await openSecure(port);
    for (let i = 0; i < HITS; i++) await askSecure(other, '/');
    const socket = await openSecure(port);
    const pages: string[] = [];
    const read = await requestsOfNode(async () => {
      for (let i = 0; i < HITS; i++) pages.push(await askSecure(socket, '/'));
    });
    expect(read).toBe(2);
    for (const page of pages) expect(page).toContain('x'.repeat(20_000));
    // Both connections are idle.
    const closed = [other, socket].map((each) => once(each, 'close'));
    await ssr.close();
    await Promise.all(closed);
  });

  test('pages are those of the https origin, and are looked up once', async () => {
    const { port, ssr } = await startSecure();
    const plain = createServer(ssr.reqHandler);
    onTestFinished(() => void plain.close());
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const connection = await open((plain.address() as AddressInfo).port);
    const page = REQUEST.replace('GET / ', 'GET /page ').replace(/Accept-.*\r\n/, '');
    for (let i = 0; i < 2; i++) {
      expect(String((await ask(connection, page)).body)).toContain('http://127.0.0.1/page');
    }
    const socket = await openSecure(port);
    for (let i = 0; i < HITS; i++) await askSecure(socket, '/');
    const results: string[] = [];
    const note = (event: unknown): void => {
      const { target, result } = event as RequestEvent;
      results.push(`${target} ${result}`);
    };
    channel('ng-ssr:request').subscribe(note);
    onTestFinished(() => void channel('ng-ssr:request').unsubscribe(note));
    expect(await askSecure(socket, '/page')).toContain('https://127.0.0.1/page');
    expect(results).toEqual(['/page miss']);
  });
});

/** A server with TLS of which a file is a hit, and which stores its pages. */
async function startSecure() {
  const ssr = createFastifySsrServer({
    engine: ({ url }) =>
      new Response(`<html>${url}</html>`, {
        headers: { 'content-type': 'text/html', 'cache-control': 's-maxage=60' },
      }),
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(20_000)) }) },
    serveHits: 'before-middleware',
    onError: (error) => expect.fail(error.message),
    fastify: { https: pair } as FastifySsrServerOptions['fastify'],
  });
  onTestFinished(() => ssr.close());
  await ssr.ready();
  const { port } = await ssr.listen({
    port: 0,
    host: '127.0.0.1',
    announce: false,
    shutdown: { graceMs: 0, timeoutMs: 4000 },
  });
  return { port, ssr };
}

async function openSecure(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: pair!.cert });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket.setEncoding('latin1');
}

/** @returns all that the server sends up to the end of a document. */
async function askSecure(socket: TLSSocket, target: string): Promise<string> {
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  let text = '';
  while (!text.endsWith('</html>')) text += String((await once(socket, 'data'))[0]);
  return text;
}
