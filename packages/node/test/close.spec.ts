import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { headerOf, RawConnection, requestBytes } from '@ng-ssr/conformance';
import type { ProbeOptions } from '@ng-ssr/core';
import { QUIET_MS } from '@ng-ssr/core/shutdown';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const LARGE = Buffer.alloc(16 * 1024 * 1024, 'large');

function create(
  serveHits: 'after-middleware' | 'before-middleware' = 'after-middleware',
  probes: ProbeOptions = { live: '/livez', ready: '/readyz' },
) {
  const server = createNodeSsrServer({
    engine: ({ url }) =>
      url.endsWith('/hang') ? new Promise(() => undefined) : new Response('page'),
    allowedHosts: ['127.0.0.1'],
    files: {
      folder: writeBuiltSite({
        'browser/index.html': prerendered('home'),
        'browser/large.bin': LARGE,
      }),
      maxFileBytes: LARGE.length,
      encodings: [],
    },
    serveHits,
    probes,
    onError: () => undefined,
  });
  onTestFinished(() => server.close());
  return server;
}

const listenQuietly = { port: 0, host: '127.0.0.1', announce: false, shutdown: false } as const;

const bytesOf = (target: string): string =>
  requestBytes({ target, headers: { host: '127.0.0.1' } });

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('close() waits for a client that reads slowly', async () => {
  const server = create();
  const { port } = await server.listen(listenQuietly);
  const socket = await open(port);
  socket.write(bytesOf('/large.bin'));
  await once(socket, 'readable');
  const closed = server.close();
  await expect.poll(() => refuses(port)).toBe(true);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(socket, 'close');
  expect(bytes).toBeGreaterThan(LARGE.length);
  await closed;
});

test('close() answers a request that has come in part, after others on its connection', async () => {
  const server = create();
  const { port } = await server.listen(listenQuietly);
  const [first, later] = [await RawConnection.open(port), await RawConnection.open(port)];
  later.write(bytesOf('/'));
  await later.read();
  const head = bytesOf('/');
  for (const connection of [first, later]) connection.write(head.slice(0, 20));
  // It has come when what was sent behind it is answered.
  const other = await RawConnection.open(port);
  other.write(bytesOf('/'));
  await other.read();
  const closed = server.close();
  // Idle connections are closed meanwhile.
  await other.closed;
  for (const connection of [first, later]) {
    connection.write(head.slice(20));
    const answer = await connection.read();
    expect(answer.status).toBe(200);
    expect(headerOf(answer, 'connection')).toBe('close');
  }
  await closed;
});

test('close() closes at once what has been idle for long, and awaits what is in use', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = create();
  const { port } = await server.listen(listenQuietly);
  const used = await RawConnection.open(port);
  const [idle, unused] = [await RawConnection.open(port), await RawConnection.open(port)];
  for (const connection of [used, idle]) {
    connection.write(bytesOf('/'));
    await connection.read();
  }
  vi.advanceTimersByTime(QUIET_MS);
  used.write(bytesOf('/'));
  await used.read();
  let isInUse = true;
  void used.closed.then(() => (isInUse = false));
  const closed = server.close();
  await Promise.all([idle.closed, unused.closed]);
  expect(isInUse).toBe(true);
  used.write(bytesOf('/'));
  expect(headerOf(await used.read(), 'connection')).toBe('close');
  await closed;
});

test('close() does not close after unread content', async () => {
  const server = create();
  const { port } = await server.listen({ ...listenQuietly, shutdown: { graceMs: 300 } });
  const connection = await RawConnection.open(port);
  const closed = server.close();
  const content = 'content '.repeat(100_000);
  const head = `POST /rendered HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${content.length}\r\n\r\n`;
  connection.write(head);
  const answer = await connection.read('POST');
  expect(answer.status).toBe(405);
  expect(headerOf(answer, 'connection')).toBe('keep-alive');
  connection.write(content);
  connection.write(bytesOf('/'));
  const next = await connection.read();
  expect([next.status, headerOf(next, 'connection')]).toEqual([200, 'close']);
  await closed;
});

test('close() ends connections that have become something else, and answers of theirs are no error', async () => {
  const server = create();
  const listening = await server.listen(listenQuietly);
  listening.server.on('upgrade', (_request, socket: Socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n',
    );
    socket.pipe(socket);
  });
  const socket = await open(listening.port);
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  await once(socket, 'data');
  const ended = once(socket, 'close');
  socket.write('still there');
  await server.close();
  await ended;
});

test('an offer to upgrade is ignored once no listener accepts upgrades', async () => {
  const server = create();
  const listening = await server.listen(listenQuietly);
  const onUpgrade = (_request: unknown, socket: Socket): void => void socket.destroy();
  listening.server.on('upgrade', onUpgrade);
  await new Promise((resolve) => setImmediate(resolve));
  listening.server.off('upgrade', onUpgrade);
  const connection = await RawConnection.open(listening.port);
  connection.write(
    'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
  );
  expect((await connection.read()).status).toBe(200);
  connection.end();
});

test('close() cuts off requests without an answer in time, and reports it', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const server = create();
  const { port } = await server.listen({ ...listenQuietly, shutdown: { timeoutMs: 100 } });
  const connection = await RawConnection.open(port);
  connection.write(bytesOf('/hang'));
  await Promise.all([server.close(), server.close(), connection.closed]);
  expect(said.mock.calls).toEqual([['ng-ssr: shutdown: requests cut off after 100 ms: 1']]);
});

test('close() leaves the signals alone again', async () => {
  const before = process.listenerCount('SIGTERM');
  const servers = [create(), create()];
  for (const server of servers) await server.listen({ ...listenQuietly, shutdown: {} });
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  for (const server of servers) await server.close();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('a server that could not listen leaves the signals alone', async () => {
  const before = process.listenerCount('SIGTERM');
  const { port } = await create().listen(listenQuietly);
  const again = create().listen({ ...listenQuietly, port, shutdown: {} });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('a server that never listened closes', async () => {
  await create().close();
});

test('the handler for the Angular CLI installs nothing', () => {
  const before = process.eventNames().length;
  expect(create().reqHandler).toBeTypeOf('function');
  expect(process.eventNames()).toHaveLength(before);
});

test.each([
  [{ graceMs: -1 }, 'shutdown.graceMs is -1 (number); allowed: a whole number of milliseconds, 0'],
  [{ graceMs: 1.5 }, 'shutdown.graceMs is 1.5 (number)'],
  [{ timeoutMs: 0 }, 'shutdown.timeoutMs is 0 (number)'],
  [{ timeoutMs: '10s' }, 'shutdown.timeoutMs is "10s" (string)'],
  [
    { grace: 1 },
    'there is no option listen.shutdown.grace. Did you mean listen.shutdown.graceMs? The options are',
  ],
  [true, 'shutdown is true (boolean); allowed: false or an object of options'],
])('shutdown: %j is refused', async (shutdown, message) => {
  const listening = create().listen({ ...listenQuietly, shutdown: shutdown as never });
  await expect(listening).rejects.toThrow(message);
});

test.each(['after-middleware', 'before-middleware'] as const)(
  'probes come before middleware %s',
  async (serveHits) => {
    const server = create(serveHits);
    server.use(() => undefined);
    const { port } = await server.listen(listenQuietly);
    for (const path of ['/livez', '/readyz']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
  },
);

test.each(['after-middleware', 'before-middleware'] as const)(
  'a check of the ready probe comes before middleware %s',
  async (serveHits) => {
    let isUp = true;
    const check = async (): Promise<boolean> => isUp;
    const server = create(serveHits, { ready: { path: '/readyz', check, intervalMs: 0 } });
    server.use(() => undefined);
    const { port } = await server.listen(listenQuietly);
    const ask = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })).status;
    expect(await ask()).toBe(200);
    isUp = false;
    expect(await ask()).toBe(503);
  },
);

async function refuses(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.destroy();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  }
}
