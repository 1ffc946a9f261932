import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type ParsedResponse, RawConnection } from '@ng-ssr/conformance';
import type { RequestLogEntry, RequestLogOptions } from '@ng-ssr/core';
import type { Answer } from '@ng-ssr/node/adapter';
import {
  createNodeSsrServer,
  type NodeSsrServer,
  withRequestLog,
  withRouter,
} from '@ng-ssr/node/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { heldBytes } from '../../core/test/render/held-bytes.ts';
import { AnswerBytes } from '../src/adapter/socket-hits/answer-bytes.ts';
import { requestsOfNode } from './socket-hits/requests-of-node.ts';

const LARGE_BYTES = 60_000;
const ANYWHERE = { port: 0, host: '127.0.0.1', announce: false } as const;
const HIT = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const UPGRADE =
  'GET /chat HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n';

test('a connection is upgraded after hits, and its bytes are the new protocol', async () => {
  const { port, server } = await start();
  server.on('upgrade', (_request, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n',
    );
    socket.pipe(socket);
  });
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  const arrived = async (text: string): Promise<void> => {
    while (!received.endsWith(text)) await once(socket, 'data');
    received = '';
  };
  for (let i = 0; i < 5; i++) {
    socket.write(HIT);
    await arrived('</html>');
  }
  socket.write(UPGRADE);
  await arrived('\r\n\r\n');
  // Bytes that would be a hit.
  socket.write(HIT);
  await arrived(HIT);
});

test('a socket that is upgraded in the same read as a hit keeps the listeners of its new protocol', async () => {
  const { port, server } = await start();
  server.on('upgrade', (_request, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n',
    );
    socket.once('data', () => {
      socket.write('greeting|');
      socket.on('data', (bytes) => socket.write(`${String(bytes)}|`));
    });
  });
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  const arrived = async (end: string): Promise<string> => {
    while (!received.endsWith(end)) await once(socket, 'data');
    const text = received;
    received = '';
    return text;
  };
  socket.write(HIT + UPGRADE);
  expect((await arrived('Upgrade: chat\r\n\r\n')).startsWith('HTTP/1.1 200 OK')).toBe(true);
  socket.write('hello');
  expect(await arrived('|')).toBe('greeting|');
  for (const text of ['first', HIT, 'last']) {
    socket.write(text);
    expect(await arrived('|')).toBe(`${text}|`);
  }
});

test('an idle connection is closed after keepAliveTimeout', async () => {
  const { port, server } = await start();
  server.keepAliveTimeout = 1000;
  const connection = await RawConnection.open(port);
  for (let i = 0; i < 5; i++) {
    connection.write(HIT);
    const { headers } = await connection.read();
    expect(headers).toContainEqual(['Keep-Alive', 'timeout=1']);
  }
  await connection.closed;
});

test('a client that reads late gets all that it asked for, and holds no more than one answer', async () => {
  const { port, server } = await start();
  server.keepAliveTimeout = 100;
  const accepted = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  const [connection] = await accepted;
  let received = 0;
  socket.on('data', (bytes: Buffer) => (received += bytes.length));
  for (let i = 0; i < 3; i++) {
    received = 0;
    socket.write(HIT);
    while (received < LARGE_BYTES) await once(socket, 'data');
  }
  // The last bytes of an answer come with others.
  const length = received;
  socket.pause();
  const most = 500;
  let sent = 0;
  const { bytesRead } = connection;
  // Each in a read of its own, until the server stops to read. A busy kernel may deliver a request late.
  for (; sent < most && connection.writableLength === 0; sent++) {
    socket.write(HIT);
    const expected = bytesRead + (sent + 1) * HIT.length;
    while (connection.bytesRead < expected && connection.writableLength === 0) await setImmediate();
    await setImmediate();
  }
  expect(sent).toBeLessThan(most);
  expect(connection.writableLength).toBeLessThanOrEqual(length);
  // Longer than a connection that is idle would be kept.
  await once(AbortSignal.timeout(1500), 'abort');
  received = 0;
  const want = sent * length;
  socket.resume();
  while (received < want) await once(socket, 'data');
  expect(socket.destroyed).toBe(false);
});

test('answers carry the Date of their second', async () => {
  const { port } = await start();
  const connection = await RawConnection.open(port);
  const date = async (): Promise<string | undefined> => {
    connection.write(HIT);
    return valueOf((await connection.read()).headers, 'Date');
  };
  // Node's own answers have the real time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00.990Z') });
  onTestFinished(() => void vi.useRealTimers());
  while ((await date()) !== 'Tue, 01 Jan 2030 00:00:00 GMT');
  for (const [ms, seconds] of Object.entries({ 9: '00', 10: '01', 1009: '01', 3010: '04' })) {
    vi.setSystemTime(Date.parse('2030-01-01T00:00:00.990Z') + Number(ms));
    expect(await date(), `${ms} ms later`).toBe(`Tue, 01 Jan 2030 00:00:${seconds} GMT`);
  }
  connection.destroy();
});

test('middleware that is added later sees every request', async () => {
  const { port, ssr } = await start();
  const connection = await RawConnection.open(port);
  const ask = async (): Promise<void> => {
    connection.write(HIT);
    await connection.read();
  };
  for (let i = 0; i < 5; i++) await ask();
  let seen = 0;
  ssr.use((_request, _response, next) => {
    seen++;
    next();
  });
  for (let i = 0; i < 5; i++) await ask();
  expect(seen).toBe(5);
  connection.destroy();
});

test.each([
  ['has', true],
  ['gets', false],
])('another listener that a server of yours %s sees every request', async (_when, isBefore) => {
  const ssr = await create();
  const own = createServer(ssr.reqHandler);
  let seen = 0;
  const count = (): void => void seen++;
  if (isBefore) own.on('request', count);
  const { port } = await ssr.listen({ ...ANYWHERE, server: own, shutdown: false });
  const connection = await RawConnection.open(port);
  const ask = async (): Promise<void> => {
    connection.write(HIT);
    await connection.read();
  };
  for (let i = 0; i < 5; i++) await ask();
  if (!isBefore) own.on('request', count);
  for (let i = 0; i < 5; i++) await ask();
  expect(seen).toBe(isBefore ? 10 : 5);
  connection.destroy();
});

test('a library that replaces the emit of all servers sees every request', async () => {
  const { emit } = Server.prototype;
  onTestFinished(() => void Reflect.deleteProperty(Server.prototype, 'emit'));
  let seen = 0;
  Server.prototype.emit = function (this: Server, event: string, ...rest: unknown[]) {
    if (event === 'request') seen++;
    return Reflect.apply(emit, this, [event, ...rest]) as boolean;
  } as typeof emit;
  const { port } = await start();
  const connection = await RawConnection.open(port);
  seen = 0;
  for (let i = 0; i < 5; i++) {
    connection.write(HIT);
    await connection.read();
  }
  expect(seen).toBe(5);
  connection.destroy();
});

test('the request log has every hit, with its status and bytes', async () => {
  const entries: RequestLogEntry[] = [];
  const { port, ssr } = await start({
    write: (batch) => void entries.push(...batch),
    headers: ['User-Agent'],
  });
  const connection = await RawConnection.open(port);
  const agent = HIT.replace('\r\n\r\n', '\r\nUser-Agent: test\r\n\r\n');
  for (let i = 0; i < 10; i++) {
    connection.write(agent);
    const { headers } = await connection.read();
    if (i === 0) continue;
    connection.write(
      agent.replace('\r\n\r\n', `\r\nIf-None-Match: ${valueOf(headers, 'ETag')}\r\n\r\n`),
    );
    expect((await connection.read()).status).toBe(304);
  }
  await ssr.close();
  const own = entries.filter(({ headers }) => headers['User-Agent'] === 'test');
  expect(own.filter(({ status, bytes }) => status === 200 && bytes > LARGE_BYTES)).toHaveLength(10);
  expect(own.filter(({ status, bytes }) => status === 304 && bytes === 0)).toHaveLength(9);
});

test('an idle connection keeps neither its last request nor its response in memory', async () => {
  const { port, ssr } = await start();
  const passed: WeakRef<object>[] = [];
  ssr.router.get('/route', (request, response) => {
    passed.push(new WeakRef(request), new WeakRef(response));
    response.end('route');
  });
  const idle = await RawConnection.open(port);
  for (const request of [HIT, HIT, HIT, HIT.replace(' / ', ' /route '), HIT]) {
    idle.write(request);
    await idle.read();
  }
  // The last request of all connections is remembered.
  await answerTo(port);
  await expect
    .poll(async () => {
      await heldBytes();
      return passed.filter((each) => each.deref() !== undefined).length;
    })
    .toBe(0);
  expect(passed).toHaveLength(2);
  idle.write(HIT);
  expect((await idle.read()).status).toBe(200);
  idle.destroy();
});

test('answers that are made for one request leave those of others in memory', () => {
  const bytes = new AnswerBytes(5000);
  const make = (): Answer => ({
    status: 200,
    headers: ['Content-Length', '4'],
    body: Buffer.from('page'),
  });
  const hot = Array.from({ length: 100 }, make);
  const written = (answer: Answer): unknown => bytes.of(answer, false, 1)?.[0];
  for (const answer of hot) written(answer);
  for (const answer of hot) written(answer);
  const kept = hot.map(written);
  for (let i = 0; i < 1000; i++) written(make());
  const later = Array.from({ length: 100 }, make);
  for (const answer of later) written(answer);
  for (const answer of later) written(answer);
  const keptLater = later.map(written);
  for (const [i, answer] of hot.entries()) expect(written(answer)).toBe(kept[i]);
  for (const [i, answer] of later.entries()) expect(written(answer)).toBe(keptLater[i]);
});

test('close() ends idle connections whose hits are answered on the socket', async () => {
  const { port, ssr } = await start();
  const connection = await RawConnection.open(port);
  const read = await requestsOfNode(async () => {
    for (let i = 0; i < 10; i++) {
      connection.write(HIT);
      await connection.read();
    }
  });
  expect(read).toBeLessThan(10);
  await ssr.close();
  await connection.closed;
});

type Started = { port: number; server: Server; ssr: ReturnType<typeof createNodeSsrServer> };

/** A server that answers hits on the socket. */
async function create(log?: RequestLogOptions): Promise<NodeSsrServer> {
  const ssr = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: {
      folder: writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(LARGE_BYTES)) }),
    },
    onError: (error) => expect.fail(error.message),
    features: [withRouter(), ...(log ? [withRequestLog(log)] : [])],
  });
  onTestFinished(() => ssr.close());
  await ssr.ready();
  return ssr;
}

async function start(log?: RequestLogOptions): Promise<Started> {
  const ssr = await create(log);
  const shutdown = { graceMs: 0, timeoutMs: 5000 };
  const { port, server } = await ssr.listen({ ...ANYWHERE, shutdown });
  for (let i = 0; i < 3; i++) await answerTo(port);
  return { port, server, ssr };
}

function valueOf(headers: ParsedResponse['headers'], name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

/** The bytes of a hit's answer. */
async function answerTo(port: number): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.end(HIT.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
