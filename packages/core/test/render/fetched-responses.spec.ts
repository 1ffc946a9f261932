import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedServer } from '../pages/stored-server.ts';

const PAGE = `<!doctype html><p>${'a page of another server '.repeat(50)}</p>`;

const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
  'gzip, br': (text) => zlib.brotliCompressSync(zlib.gzipSync(text)),
};

let upstream: Server;
let origin: string;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const encoding = decodeURIComponent(request.url!.slice(1));
    const body = encoders[encoding]?.(PAGE) ?? Buffer.from(PAGE);
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Encoding': encoding,
      'Content-Length': body.length,
      'Cache-Control': 'public, s-maxage=60',
      ETag: '"encoded"',
      'Content-MD5': 'x',
      'Content-Digest': 'sha-256=:x:',
      Connection: 'keep-alive, X-Hop',
      'X-Hop': '1',
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});

afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

it.each(Object.keys(encoders))(
  'an engine that returns what fetch() has decoded of %s answers it decoded',
  async (encoding) => {
    for (const options of [{}, { cache: false as const }]) {
      const server = storedServer(
        () => fetch(`${origin}/${encodeURIComponent(encoding)}`),
        options,
      );
      for (let i = 0; i < 2; i++) {
        const answer = await server.get('/p');
        expect([answer.status, answer.text]).toEqual([200, PAGE]);
        expect(answer.header('content-encoding')).toBeUndefined();
        expect(answer.header('content-length')).toBe(String(PAGE.length));
        expect(answer.header('etag')).toMatch(/^W\//);
        for (const name of ['content-md5', 'content-digest', 'x-hop', 'connection']) {
          expect(answer.header(name)).toBeUndefined();
        }
      }
      expect(server.requests).toHaveLength(options.cache === false ? 2 : 1);
    }
  },
);

it('an engine that puts the headers of a fetched gzip on another Response answers it decoded', async () => {
  const server = storedServer(async () => {
    const { body, headers } = await fetch(`${origin}/gzip`);
    return new Response(body, { headers });
  });
  const answer = await server.get('/p');
  expect([answer.text, answer.header('content-encoding')]).toEqual([PAGE, undefined]);
});

it('what fetch() has not decoded stays encoded', async () => {
  const server = storedServer(() => fetch(`${origin}/compress`));
  const answer = await server.get('/p');
  expect([answer.header('content-encoding'), answer.header('etag')]).toEqual([
    'compress',
    '"encoded"',
  ]);
  expect(answer.cache).toContain('detail=encoded');
});

it.each(['gzip', 'br'])('content that the engine has encoded itself stays %s', async (encoding) => {
  const body = encoders[encoding]!(PAGE);
  const headers = { 'content-type': 'text/html', 'content-encoding': encoding, etag: '"own"' };
  const server = storedServer(() => new Response(new Uint8Array(body), { headers }));
  const answer = await server.get('/p');
  expect(answer.header('content-encoding')).toBe(encoding);
  expect(answer.header('etag')).toBe('"own"');
  expect(Buffer.compare(answer.body!, body)).toBe(0);
});
