import { RawConnection } from '@ng-ssr/conformance';
import type { SsrOptions } from '@ng-ssr/core';
import type { SsrServer } from '@ng-ssr/node/adapter';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const HIT = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const CHUNKED = 'Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A request that is answered before its content has come gets no second response (RFC 9112 section 9.3.2). */
export function defineUnreadContentTest(create: (options: SsrOptions) => SsrServer): void {
  describe('a request that was answered before its content has come', () => {
    test.each([
      ['POST', 405],
      ['GET', 200],
    ])('(%s, %i) gets no second response to a malformed rest', async (method, status) => {
      const port = await start(create);
      const connection = await open(port);
      connection.write(`${method} / HTTP/1.1\r\n${CHUNKED}`);
      expect((await connection.read()).status).toBe(status);
      connection.write('no length\r\n');
      await expect(connection.read()).rejects.toThrow('before the first byte');
      await connection.closed;
    });

    test('has its rest dropped, and the connection is used again', async () => {
      const port = await start(create);
      const connection = await open(port);
      for (let i = 0; i < 3; i++) {
        connection.write(`POST / HTTP/1.1\r\n${CHUNKED}`);
        expect((await connection.read()).status).toBe(405);
        connection.write('5\r\nhello\r\n0\r\n\r\n');
        connection.write(HIT);
        expect((await connection.read()).status).toBe(200);
      }
    });

    test.each([
      ['a request', 400, 'GET / HTTP/1.1\r\nHost\r\n\r\n'],
      ['a head that is too long', 431, `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}`],
    ])('does not change the answer to %s that cannot be read', async (_name, status, bytes) => {
      const port = await start(create);
      const first = await open(port);
      first.write(`POST / HTTP/1.1\r\n${CHUNKED}`);
      expect((await first.read()).status).toBe(405);
      const other = await open(port);
      other.write(bytes);
      expect((await other.read()).status).toBe(status);
      await other.closed;
    });
  });
}

async function start(create: (options: SsrOptions) => SsrServer): Promise<number> {
  const server = create({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
  });
  onTestFinished(() => server.close());
  const shutdown = { graceMs: 0, timeoutMs: 2000 };
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false, shutdown });
  return port;
}

async function open(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  return connection;
}
