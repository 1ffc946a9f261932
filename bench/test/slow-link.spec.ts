import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type LinkSpeed, openSlowLink } from '../src/measure/slow-link.ts';

const FAST: LinkSpeed = { delayMs: 1, downRate: 1e9, upRate: 1e9 };

/** A connection through a link to a server. */
async function open(serve: (socket: Socket) => void, speed: LinkSpeed): Promise<Socket> {
  const server = createServer({ allowHalfOpen: true }, serve).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const link = await openSlowLink((server.address() as AddressInfo).port, speed);
  onTestFinished(() => link.close());
  return connect({ port: link.port, host: '127.0.0.1', allowHalfOpen: true });
}

test('carries all bytes of both directions in order, and their ends', async () => {
  const sent = Buffer.from(Uint32Array.from({ length: 100_000 }, (_, at) => at).buffer);
  const client = await open((socket) => socket.pipe(socket), FAST);
  client.end(sent);
  expect(sent.equals(await buffer(client))).toBe(true);
});

test('a byte takes the delay in each direction, and a new connection a round trip more', async () => {
  const delayMs = 20;
  const client = await open((socket) => socket.pipe(socket), { ...FAST, delayMs });
  const startMs = performance.now();
  client.write('first');
  await once(client, 'data');
  const firstMs = performance.now();
  client.write('second');
  await once(client, 'data');
  const secondMs = performance.now();
  client.destroy();
  // A timer of Node may fire a millisecond early.
  expect(firstMs - startMs).toBeGreaterThan(4 * delayMs - 4);
  expect(secondMs - firstMs).toBeGreaterThan(2 * delayMs - 4);
});

test('connections share the rate', async () => {
  const bytes = 8192;
  const [downRate, delayMs] = [200_000, 1];
  const server = createServer((socket) => void socket.end(Buffer.alloc(bytes)));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const link = await openSlowLink(port, { delayMs, downRate, upRate: 1e9 });
  onTestFinished(() => link.close());
  const startMs = performance.now();
  const found = await Promise.all(
    Array.from({ length: 3 }, () => buffer(connect(link.port, '127.0.0.1'))),
  );
  expect(found.map(({ length }) => length)).toEqual([bytes, bytes, bytes]);
  expect(performance.now() - startMs).toBeGreaterThan((3 * bytes * 1000) / downRate - 20);
});

test('a client that is cut off ends the connection to the server', async () => {
  let close!: () => void;
  const isClosed = new Promise<void>((resolve) => (close = resolve));
  const client = await open((socket) => {
    // A half-open connection ends, one that was reset closes.
    socket.on('error', () => undefined).once('end', () => socket.end());
    socket.once('close', () => close()).resume();
    socket.write('hello');
  }, FAST);
  await once(client, 'data');
  client.resetAndDestroy();
  await isClosed;
});
