import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import type { Middleware } from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

/** Codes all that a client takes encoded, as compression middleware does that knows nothing of ranges. */
const compress: Middleware = async (context, next) => {
  await next();
  if (context.acceptsEncodings('identity', 'gzip') !== 'gzip') return;
  const body = context.body as Readable;
  context.remove('Content-Length');
  context.set('Content-Encoding', 'gzip');
  context.body = body.pipe(createGzip());
};

// RFC 9110 section 14.2: the positions of a range are those of the content as it is sent without a range.
test('compression middleware that knows no ranges codes no part of a large file', async () => {
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
  server.app.use(compress);
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  onTestFinished(() => server.close());

  const headers = { range: 'bytes=10-1009', 'accept-encoding': 'gzip, identity;q=0.5' };
  const [part] = (await once(
    get({ host: '127.0.0.1', port, path: '/archive.bin', headers, agent: false }),
    'response',
  )) as [IncomingMessage];
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-encoding']).toBeUndefined();
  expect(part.headers['content-range']).toBe('bytes 10-1009/20000');
  expect(await buffer(part)).toEqual(content.subarray(10, 1010));
});
