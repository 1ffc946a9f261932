import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { StreamedContent } from '@ng-ssr/core/adapter';
import { sendStreamed } from '@ng-ssr/node/adapter';
import { expect, onTestFinished, test, vi } from 'vitest';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handle: Handle): Promise<number> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function ask(port: number): Promise<IncomingMessage> {
  const [response] = (await once(get({ host: '127.0.0.1', port }), 'response')) as [
    IncomingMessage,
  ];
  return response;
}

/** Content in pieces, which counts how often it is closed. */
function contentOf(pieces: Iterable<Uint8Array | Promise<Uint8Array>>): {
  readonly content: StreamedContent;
  readonly closed: Promise<void>;
  readonly reads: () => number;
} {
  const iterator = pieces[Symbol.iterator]();
  let reads = 0;
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  let isClosed = false;
  const content: StreamedContent = {
    read: async () => {
      reads++;
      return isClosed ? undefined : ((await iterator.next().value) as Uint8Array | undefined);
    },
    close: async () => {
      isClosed = true;
      close();
    },
  };
  return { content, closed, reads: () => reads };
}

const personal = (content: StreamedContent, headers: readonly string[] = []) =>
  ({ status: 200, headers, content, isPersonal: true }) as const;

test('a slow client gets all of it, and nothing is read ahead of it', async () => {
  const pieces = Array.from({ length: 200 }, (_, at) => Buffer.alloc(100_000, at));
  const { content, closed, reads } = contentOf(pieces);
  const port = await serve((_request, response) => sendStreamed(response, personal(content)));
  const response = await ask(port);
  response.pause();
  // It has filled what lies between both ends.
  await vi.waitUntil(async () => {
    const before = reads();
    await new Promise((resolve) => setImmediate(resolve));
    return before > 0 && before === reads();
  });
  expect(reads()).toBeLessThan(pieces.length);
  const received: Buffer[] = [];
  response.on('data', (piece: Buffer) => received.push(piece)).resume();
  await once(response, 'end');
  expect(Buffer.concat(received).equals(Buffer.concat(pieces))).toBe(true);
  await closed;
});

test('a client that leaves closes content that waits, and content that is waited for', async () => {
  function* endless(): Generator<Uint8Array> {
    for (;;) yield Buffer.alloc(100_000);
  }
  const waiting = [Buffer.from('a'), new Promise<Uint8Array>(() => undefined)];
  for (const pieces of [waiting, endless()]) {
    const { content, closed } = contentOf(pieces);
    const port = await serve((_request, response) => sendStreamed(response, personal(content)));
    const response = await ask(port);
    response.on('error', () => undefined);
    response.destroy();
    await closed;
  }
});

test('content that cannot be read to its end closes the connection', async () => {
  let fail: (error: Error) => void = () => undefined;
  const failing = new Promise<Uint8Array>((_resolve, reject) => (fail = reject));
  const { content, closed } = contentOf([Buffer.from('a'), failing]);
  const port = await serve((_request, response) => sendStreamed(response, personal(content)));
  const response = await ask(port);
  fail(new Error('gone'));
  await expect(text(response)).rejects.toThrow('aborted');
  await closed;
});

test('a response that has ended or gone closes its content', async () => {
  const { content, closed } = contentOf([]);
  const port = await serve((_request, response) => {
    response.end();
    sendStreamed(response, personal(content));
  });
  expect(await text(await ask(port))).toBe('');
  await closed;
});

/** The writes of a server's connection while it answers one request. */
async function countWrites(handle: Handle): Promise<number> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  let writes = 0;
  for (const name of ['_write', '_writev'] as const) {
    const write = socket[name] as (...args: readonly unknown[]) => void;
    Object.assign(socket, {
      [name](this: Socket, ...args: readonly unknown[]) {
        writes++;
        Reflect.apply(write, this, args);
      },
    });
  }
  client.end('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(await text(client)).toMatch(/^HTTP\/1.1 200[^]*startend/);
  return writes;
}

test('head and content that is there go out in one write', async () => {
  const pieces = [Buffer.from('start'), Buffer.from('e'), Buffer.from('nd')];
  const whole = { ...contentOf(pieces).content, lengthBytes: 8, pieces };
  const headers = ['Content-Type', 'text/html', 'Content-Length', '8'];
  expect(await countWrites((_, response) => sendStreamed(response, personal(whole, headers)))).toBe(
    1,
  );
  const behind: Handle = (_, response) => {
    response.setHeader('x-earlier', '1');
    sendStreamed(response, personal(whole, headers));
  };
  expect(await countWrites(behind)).toBe(1);
});

test('a writeHead that libraries have replaced sets nothing for caches', async () => {
  const { prototype } = await import('node:http').then(({ ServerResponse }) => ServerResponse);
  const { writeHead } = prototype;
  prototype.writeHead = function (this: ServerResponse, ...args: readonly unknown[]) {
    this.setHeader('surrogate-control', 'max-age=60');
    return Reflect.apply(writeHead, this, args) as ServerResponse;
  } as typeof writeHead;
  onTestFinished(() => void (prototype.writeHead = writeHead));
  const pieces = [Buffer.from('ann')];
  const headers = ['Cache-Control', 'private, no-cache, no-transform', 'Content-Length', '3'];
  const whole = { ...contentOf(pieces).content, lengthBytes: 3, pieces };
  const port = await serve((_request, response) =>
    sendStreamed(response, personal(whole, headers)),
  );
  const response = await ask(port);
  expect(await text(response)).toBe('ann');
  expect(response.headers['cache-control']).toBe('private, no-cache, no-transform');
  expect(response.headers['surrogate-control']).toBeUndefined();
});
