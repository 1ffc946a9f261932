import { createServer, type Server } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttp1Client, headerLines, headerOf, requestBytes } from '../src/client.ts';
import { RawConnection } from '../src/raw-client.ts';

const servers: (Server | TcpServer)[] = [];

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that sends exactly these pieces, each in a write of its own, and then ends. */
function sendPieces(pieces: readonly string[]): Promise<number> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.setNoDelay(true);
      const send = (index: number) => {
        const piece = pieces[index];
        if (piece === undefined) socket.end();
        else socket.write(Buffer.from(piece, 'latin1'), () => setImmediate(send, index + 1));
      };
      socket.once('data', () => send(0));
    }),
  );
}

async function readPieces(pieces: readonly string[], method = 'GET') {
  const connection = await RawConnection.open(await sendPieces(pieces));
  connection.write('GET / HTTP/1.1\r\n\r\n');
  return { connection, response: await connection.read(method) };
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('RawConnection', () => {
  it('reads a response byte by byte', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \r\n\r\nhello';
    const { response } = await readPieces([...bytes]);
    expect(response).toMatchObject({ status: 200, reason: 'OK', framing: 'content-length' });
    expect(response.headers).toEqual([
      ['Content-Length', '5'],
      ['X-A', 'b'],
    ]);
    expect(response.body.toString()).toBe('hello');
  });

  it('reads chunks with extensions and trailers, and what follows them', async () => {
    const chunked =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n';
    const { connection, response } = await readPieces([
      chunked.slice(0, 60),
      `${chunked.slice(60)}HTTP/1.1 204 No Content\r\n\r\n`,
    ]);
    expect(response).toMatchObject({ framing: 'chunked' });
    expect(response.body.toString()).toBe('abc0123456789');
    expect(await connection.read()).toMatchObject({ status: 204, framing: 'none' });
  });

  it('reads up to the end of the connection when nothing else delimits', async () => {
    const { response } = await readPieces(['HTTP/1.0 200 OK\r\n\r\nab', 'cd']);
    expect(response).toMatchObject({ version: 'HTTP/1.0', framing: 'close' });
    expect(response.body.toString()).toBe('abcd');
  });

  it('expects no content of HEAD and 304, and passes interim responses over', async () => {
    const length = 'Content-Length: 9\r\n\r\n';
    const { connection, response } = await readPieces(
      [
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${length}HTTP/1.1 304 Not Modified\r\n${length}`,
      ],
      'HEAD',
    );
    expect(response).toMatchObject({ status: 200, framing: 'none' });
    expect(await connection.read()).toMatchObject({ status: 304, framing: 'none' });
  });

  it('fails when the connection ends early', async () => {
    await expect(readPieces(['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'])).rejects.toThrow(
      /ended within a response/,
    );
    await expect(readPieces([])).rejects.toThrow(/before the first byte/);
  });

  it('fails on bytes that are no response', async () => {
    await expect(readPieces(['SSH-2.0\r\n\r\n'])).rejects.toThrow(/Not a status line/);
    await expect(
      readPieces(['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab']),
    ).rejects.toThrow(/different lengths/);
  });

  it('reports every response it reads', async () => {
    const port = await listen(createServer((_, response) => response.end('ok')));
    const statuses: number[] = [];
    const connection = await RawConnection.open(port, ({ status }) => statuses.push(status));
    connection.write(requestBytes({ target: '/' }) + requestBytes({ target: '/b' }));
    await connection.read();
    await connection.read();
    expect(statuses).toEqual([200, 200]);
    connection.destroy();
    await connection.closed;
  });
});

describe('createHttp1Client', () => {
  it('sends method, target, headers and content as given', async () => {
    const port = await listen(
      createServer(async (request, response) => {
        const body = await request.toArray();
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        response.end(`${request.method} ${request.url} ${request.headers.host} ${body.join('')}`);
      }),
    );
    const client = createHttp1Client(port);
    const response = await client.request({ method: 'POST', target: '/a?b=%20', body: 'ä' });
    expect(response.body.toString()).toBe('POST /a?b=%20 shop.example ä');
    expect(headerLines(response, 'SET-COOKIE')).toEqual(['a=1', 'b=2']);
    expect(headerOf(response, 'set-cookie')).toBe('a=1, b=2');
    expect(headerOf(response, 'absent')).toBeUndefined();
  });
});
