import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { toWebStream } from '@ng-ssr/core/adapter';
import { expect, onTestFinished, test } from 'vitest';

test('content and its end are those of the stream', async () => {
  const chunks = [Buffer.from('one'), Buffer.from('two')];
  expect(await new Response(toWebStream(Readable.from(chunks))).text()).toBe('onetwo');
});

test('a chunk does not keep the pool that Node has taken it from', async () => {
  const { value } = await toWebStream(Readable.from([Buffer.from('small')]))
    .getReader()
    .read();
  expect(value!.buffer.byteLength).toBe(5);
});

test('cancelling destroys a stream that says nothing, with the reason', async () => {
  const idle = new PassThrough();
  const content = toWebStream(idle);
  const reason = new Error('not needed');
  const failed = once(idle, 'error');
  await content.cancel(reason);
  expect(await failed).toEqual([reason]);
  expect(idle.destroyed).toBe(true);
});

test('an error before the first read reaches the reader', async () => {
  const failing = new PassThrough();
  const content = toWebStream(failing);
  failing.destroy(new Error('lost'));
  await new Promise((resolve) => failing.once('close', resolve));
  await expect(content.getReader().read()).rejects.toThrow('lost');
});

test('a response that is cancelled with content on its way ends no process', async () => {
  // Not read by the server's socket at once: it is there when the client cancels.
  const server = http.createServer((_request, response) => response.end(Buffer.alloc(1_000_000)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (let i = 0; i < 20; i++) {
    const [incoming] = (await once(http.get({ host: '127.0.0.1', port }), 'response')) as [
      http.IncomingMessage,
    ];
    const reader = toWebStream(incoming).getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel();
    expect((await pending).done).toBe(true);
    if (!incoming.closed) await once(incoming, 'close');
  }
});
