import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ask, createCalledServer } from './called-server.ts';

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What `count` calls in sequence get from a route. */
async function call(route: Route, method = 'GET', count = 1): Promise<unknown> {
  const page = async (): Promise<string> => {
    const seen: unknown[] = [];
    for (let i = 0; i < count; i++) {
      try {
        const response = await fetch('/api', { method });
        const { status, statusText, headers } = response;
        seen.push([status, statusText, headers.get('x-own'), await response.text()]);
      } catch (error) {
        seen.push((error as { code: string }).code);
      }
    }
    return JSON.stringify(seen);
  };
  const made = createCalledServer({
    ...{ pages: { '/': page }, calls: { '/api': { inProcess: true } } },
  });
  made.server.use((request, response, next) =>
    request.url === '/api' ? route(request, response) : next(),
  );
  const [, content] = await ask(await made.listen());
  return JSON.parse(content);
}

const CHUNKS = '3\r\nabc\r\n5;name="x"\r\ndefgh\r\n0\r\nX-Trailer: 1\r\n\r\n';
const SIZED = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n';

test.each<[string, string, unknown]>([
  ['sized', `${SIZED}X-Own: \xe4\r\n\r\nabc`, [200, 'OK', '\xe4', 'abc']],
  ['empty', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', [200, 'OK', null, '']],
  [
    'chunked',
    `HTTP/1.1 201 \r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
    [201, '', null, 'abcdefgh'],
  ],
  [
    'chunked and sized',
    `${SIZED}Transfer-Encoding: gzip, Chunked\r\n\r\n${CHUNKS}`,
    [200, 'OK', null, 'abcdefgh'],
  ],
  [
    'until its end',
    'HTTP/1.0 404 Not Found\r\nX-Own:1\r\n\r\nabc\r\n\r\n',
    [404, 'Not Found', '1', 'abc\r\n\r\n'],
  ],
  [
    'after others',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${SIZED}\r\nabc`,
    [200, 'OK', null, 'abc'],
  ],
  [
    'without content',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n',
    [304, 'Not Modified', null, ''],
  ],
  ['cut', `${SIZED}\r\nab`, 'NG_SSR_CALL_FAILED'],
  [
    'cut in a chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab',
    'NG_SSR_CALL_FAILED',
  ],
  [
    'with a long chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n',
    'NG_SSR_CALL_FAILED',
  ],
  [
    'with a bad size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n',
    'NG_SSR_CALL_FAILED',
  ],
  ['of two lengths', `${SIZED}Content-Length: 4\r\n\r\nabcd`, 'NG_SSR_CALL_FAILED'],
  ['with a bad header', `${SIZED}: x\r\n\r\nabc`, 'NG_SSR_CALL_FAILED'],
  ['of another protocol', 'HTTP/2 200\r\n\r\n', 'NG_SSR_CALL_FAILED'],
])('a response that a route writes itself is read: %s', async (_name, raw, expected) => {
  const bytes = Buffer.from(raw, 'latin1');
  const whole: Route = ({ socket }) => void socket.end(bytes);
  const inPieces: Route = async ({ socket }) => {
    for (const byte of bytes) {
      if (socket.destroyed) return;
      socket.write(Buffer.of(byte));
      await turn();
    }
    socket.end();
  };
  expect(await call(whole)).toEqual([expected]);
  expect(await call(inPieces)).toEqual([expected]);
});

test('a head without an end fails the call', async () => {
  const route: Route = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let i = 0; i < 200; i++) socket.write(`X-Long: ${'x'.repeat(1000)}\r\n`);
  };
  expect(await call(route)).toEqual(['NG_SSR_CALL_FAILED']);
});

test.each<[string, Route]>([
  [
    'ends its response later',
    async (_request, response) => {
      response.writeHead(200, { 'content-length': 3 }).write('abc');
      await turn();
      await turn();
      response.end();
    },
  ],
  [
    'has its connection closed without saying so',
    async (_request, response) => {
      // In a microtask, so that the next call starts before the server has ended this one.
      await turn();
      response.shouldKeepAlive = false;
      response.removeHeader('connection');
      response.end('abc');
    },
  ],
  [
    'closes its connection',
    (_request, response) => void response.setHeader('connection', 'close').end('abc'),
  ],
  [
    'writes more than it has said',
    ({ socket }) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc and more`),
  ],
  [
    'writes more than it has said, later',
    async ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc`);
      await turn();
      socket.write('and more');
    },
  ],
])('the next call is not disturbed by a route that %s', async (_name, route) => {
  const seen = (await call(route, 'GET', 4)) as unknown[];
  expect(seen).toEqual(Array(4).fill([200, 'OK', null, 'abc']));
});

test('connections are used again, for responses of all kinds', async () => {
  const sockets = new Set<unknown>();
  let count = 0;
  const route: Route = async (request, response) => {
    sockets.add(request.socket);
    const closed = once(response, 'close');
    if (count++ % 2 === 0) response.end('abc');
    else {
      response.write('ab');
      await turn();
      response.end('c');
    }
    await closed;
    expect(response.writableFinished).toBe(true);
  };
  const seen = (await call(route, 'GET', 20)) as unknown[];
  expect(seen).toEqual(Array(20).fill([200, 'OK', null, 'abc']));
  // A connection is free one turn after its response.
  expect(sockets.size).toBeLessThanOrEqual(4);
});

test('a route that waits for drain is read on', async () => {
  const chunk = Buffer.alloc(50_000, 'x');
  const route: Route = async (_request, response) => {
    let waits = 0;
    for (let i = 0; i < 40; i++) {
      if (response.write(chunk)) continue;
      waits++;
      await once(response, 'drain');
      expect(response.writableNeedDrain).toBe(false);
    }
    response.end(waits > 0 ? 'waited' : '');
  };
  const [[, , , content]] = (await call(route)) as [[number, string, null, string]];
  expect([content.length, content.slice(-6)]).toEqual([2_000_006, 'waited']);
});

test.each<[string, (first: ServerResponse) => void]>([
  [
    'writes another response',
    (first) => first.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother'),
  ],
  ['works on', () => {}],
])(
  'a route that %s after its response does not reach the call of another page',
  async (_name, goOn) => {
    let first: ServerResponse | undefined;
    const page = async (): Promise<string> => {
      const before = await (await fetch('/api')).text();
      await turn();
      await turn();
      const other = fetch('/api');
      await turn();
      goOn(first!);
      return `${before}, ${await (await other).text()}`;
    };
    const made = createCalledServer({
      ...{ pages: { '/': page }, calls: { '/api': { inProcess: true } } },
    });
    made.server.use((request, response, next) => {
      if (request.url !== '/api') return next();
      if (first !== undefined) return response.end('own');
      first = response;
      // All that it has announced, and no end.
      return response.writeHead(200, { 'content-length': 3 }).write('abc');
    });
    expect(await ask(await made.listen())).toEqual([200, 'abc, own']);
  },
);

test('a route may write to its buffer again', async () => {
  const route: Route = async (_request, response) => {
    response.writeHead(200, { 'content-length': 4 }).write('a');
    const buffer = Buffer.alloc(1);
    for (const letter of 'bcd') {
      buffer.write(letter);
      await new Promise<unknown>((resolve) => response.write(buffer, resolve));
    }
    response.end();
  };
  expect(await call(route)).toEqual([[200, 'OK', null, 'abcd']]);
});

test('what a route writes before its first write is read arrives', async () => {
  const route: Route = async (_request, response) => {
    response.write('a');
    await turn();
    response.write('b');
    response.end('c');
  };
  const page = async (): Promise<string> => {
    const response = await fetch('/api');
    for (let i = 0; i < 5; i++) await turn();
    return response.text();
  };
  const made = createCalledServer({
    ...{ pages: { '/': page }, calls: { '/api': { inProcess: true } } },
  });
  made.server.use((request, response, next) =>
    request.url === '/api' ? route(request, response) : next(),
  );
  expect(await ask(await made.listen())).toEqual([200, 'abc']);
});
