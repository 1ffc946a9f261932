import { once } from 'node:events';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ssrPlugin } from '@ng-ssr/fastify/server';
import createFastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';

test('the plugin answers in an app with the option http2', async () => {
  const app = createFastify({ http2: true });
  onTestFinished(() => app.close());
  await app.register(ssrPlugin, {
    engine: ({ url }) => new Response(new URL(url).host),
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/robots.txt': 'User-agent: *' }) },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const session = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  for (const [path, content] of [
    ['/robots.txt', 'User-agent: *'],
    ['/page', `127.0.0.1:${port}`],
  ]) {
    const stream = session.request({ ':path': path });
    let body = '';
    stream.setEncoding('utf8').on('data', (text: string) => (body += text));
    await once(stream, 'end');
    expect(body).toBe(content);
  }
});
