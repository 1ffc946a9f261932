import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import compress from 'koa-compress';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

// RFC 9110 section 14.2: the positions of a range are those of the content as it is sent without a range.
test('compression middleware that codes everything codes no part of a large file', async () => {
  const content = randomBytes(20_000);
  const folder = writeBuiltSite({
    'browser/index.html': prerendered('home'),
    'browser/archive.bin': content,
  });
  const server = createKoaSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder, maxFileBytes: 10_000 },
  });
  server.app.use(compress({ threshold: 0, filter: () => true }));
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  onTestFinished(() => server.close());

  const headers = { range: 'bytes=10-1009', 'accept-encoding': 'gzip' };
  const [part] = (await once(
    get({ host: '127.0.0.1', port, path: '/archive.bin', headers, agent: false }),
    'response',
  )) as [IncomingMessage];
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-encoding']).toBeUndefined();
  expect(part.headers['content-range']).toBe('bytes 10-1009/20000');
  expect(await buffer(part)).toEqual(content.subarray(10, 1010));
});
