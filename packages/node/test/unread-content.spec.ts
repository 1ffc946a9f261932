import { once } from 'node:events';
import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { ssrMiddleware } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';

test('a malformed rest closes a connection that is not a socket', async () => {
  const ssr = ssrMiddleware({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': '' }) },
  });
  onTestFinished(() => ssr.close());
  const server = createServer((request, response) => ssr(request, response, () => response.end()));
  const [client, connection] = duplexPair();
  server.emit('connection', connection);
  client.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [answer] = await once(client, 'data');
  expect(String(answer)).toContain('HTTP/1.1 405');
  client.resume().write('no length\r\n');
  await once(connection, 'close');
});
