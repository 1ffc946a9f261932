import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requestBytes } from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

// Enough for the turns of the event loop that a client needs, also where the kernel is late.
const RENDERS = 64;
const VISITORS = 40;

function get(target: string): string {
  return requestBytes({ target, headers: { host: '127.0.0.1' } });
}

test('clients that connect while pages are rendered get theirs before most renders begin', async () => {
  let renders = 0;
  const server = createNodeSsrServer({
    engine: () => {
      renders++;
      const end = performance.now() + 10;
      while (performance.now() < end);
      return new Response('rendered', { headers: { 'content-type': 'text/html' } });
    },
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }), encodings: [] },
  });
  onTestFinished(() => server.close());
  const { port } = await server.listen({
    ...{ port: 0, host: '127.0.0.1', announce: false, shutdown: false },
  });
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    return socket;
  };

  const readers = Array.from({ length: RENDERS }, open);
  await Promise.all(readers.map((socket) => once(socket, 'connect')));
  // Their connections have been accepted, too, when each has an answer.
  const first = readers.map((socket) => once(socket, 'data'));
  for (const socket of readers) socket.write(get('/'));
  await Promise.all(first);

  const rendered = readers.map((socket) => once(socket, 'data'));
  readers.forEach((socket, i) => socket.write(get(`/page/${i}`)));
  const visitors = Array.from({ length: VISITORS }, open);
  const answers = visitors.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
  for (const socket of visitors) socket.write(get('/'));
  for (const [bytes] of await Promise.all(answers)) {
    expect(bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect(renders).toBeLessThan(RENDERS / 2);
  await Promise.all(rendered);
  expect(renders).toBe(RENDERS);
});
