import { channel } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { RawConnection, type ParsedResponse } from '@ng-ssr/conformance';
import { type SsrOptions, withHeaders } from '@ng-ssr/core';
import type { Hits, SsrServer } from '@ng-ssr/node/adapter';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../../core/test/built-site.ts';
import { requestsOfNode } from './requests-of-node.ts';

export const HITS = 20;
export const REQUEST = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n';

export type Create = (options: SsrOptions & { readonly serveHits?: Hits }) => SsrServer;

/** That hits are answered before node:http reads them, with its bytes, and not where anybody would miss them. */
export function defineSocketHitsSuite(create: Create): void {
  test('the third hit of a connection, and all later ones, are not read by node:http', async () => {
    const { port } = await start(create);
    // Connections are taken with the first hit.
    const other = await open(port);
    for (let i = 0; i < HITS; i++) await ask(other, REQUEST);
    const connection = await open(port);
    const answers: ParsedResponse[] = [];
    const read = await requestsOfNode(async () => {
      for (let i = 0; i < HITS; i++) answers.push(await ask(connection, REQUEST));
    });
    expect(read).toBe(2);
    const [first, ...later] = answers.map(withoutDate);
    for (const each of later) expect(each).toEqual(first);
  });

  test('so are hits with the headers of withHeaders, and each has them once', async () => {
    const { port } = await start(create, [withHeaders({ 'X-Frame-Options': 'DENY' })]);
    const other = await open(port);
    for (let i = 0; i < HITS; i++) await ask(other, REQUEST);
    const connection = await open(port);
    const read = await requestsOfNode(async () => {
      for (let i = 0; i < HITS; i++) {
        const { headers } = await ask(connection, REQUEST);
        const values = headers.filter(([name]) => name.toLowerCase() === 'x-frame-options');
        expect(values).toEqual([['X-Frame-Options', 'DENY']]);
      }
    });
    expect(read).toBe(2);
  });

  test.each<[name: string, close: (server: Server) => void, open: (server: Server) => void]>([
    ['a listener of the server', (server) => server.on('request', ignore), () => undefined],
    ...['http.server.request.start', 'http.server.response.finish'].map(
      (name): [string, () => void, () => void] => [
        `a subscriber of ${name}`,
        () => channel(name).subscribe(ignore),
        () => channel(name).unsubscribe(ignore),
      ],
    ),
  ])('%s sees every request', async (_, close, reopen) => {
    const { port, server } = await start(create);
    const connection = await open(port);
    for (let i = 0; i < HITS; i++) await ask(connection, REQUEST);
    close(server);
    const read = await requestsOfNode(async () => {
      for (let i = 0; i < HITS; i++) await ask(connection, REQUEST);
    });
    reopen(server);
    expect(read).toBe(HITS);
  });

  test('a limit of requests per connection holds', async () => {
    const { port, server } = await start(create);
    server.maxRequestsPerSocket = 5;
    const connection = await open(port);
    for (let i = 1; i < 5; i++) await ask(connection, REQUEST);
    const last = await ask(connection, REQUEST);
    expect(last.headers.find(([name]) => name === 'Connection')).toEqual(['Connection', 'close']);
  });

  test('content that looks like a request is content', async () => {
    const { port } = await start(create);
    const connection = await open(port);
    for (let i = 0; i < HITS; i++) await ask(connection, REQUEST);
    const post = `POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${REQUEST.length}\r\n\r\n`;
    for (let i = 0; i < 3; i++) {
      connection.write(post);
      // In a read of its own: the answer to a refused method comes before the content.
      const refused = await connection.read('POST');
      expect(refused.status).toBe(405);
      connection.write(REQUEST);
      expect((await ask(connection, REQUEST.replace('GET /', 'HEAD /'), 'HEAD')).body.length).toBe(
        0,
      );
      for (let hit = 0; hit < 3; hit++) expect((await ask(connection, REQUEST)).status).toBe(200);
    }
  });
}

function ignore(): void {}

/** A server of which a page is a hit. */
export async function start(
  create: Create,
  features: SsrOptions['features'] = [],
): Promise<{ port: number; server: Server }> {
  const ssr = create({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(20_000)) }) },
    features,
    serveHits: 'before-middleware',
    onError: (error) => expect.fail(error.message),
  });
  onTestFinished(() => ssr.close());
  await ssr.ready();
  return ssr.listen({ port: 0, host: '127.0.0.1', announce: false, shutdown: { graceMs: 0 } });
}

export async function open(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  return connection;
}

export async function ask(
  connection: RawConnection,
  request: string,
  method = 'GET',
): Promise<ParsedResponse> {
  connection.write(request);
  return connection.read(method);
}

function withoutDate({ headers, ...rest }: ParsedResponse): unknown {
  return { ...rest, headers: headers.map(([name, value]) => [name, name === 'Date' ? '' : value]) };
}
