import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { headerOf, RawConnection, requestBytes } from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createNodeSsrServer, shutDownOnSignals, ssrMiddleware } from '@ng-ssr/node/server';
import websocket from '@fastify/websocket';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { writeBuiltSite } from '../../core/test/built-site.ts';

// What is cut off is told there.
let said: ReturnType<typeof vi.spyOn>;
beforeEach(() => void (said = vi.spyOn(console, 'error').mockImplementation(() => undefined)));

const options = () => ({
  engine: async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return new Response('page');
  },
  allowedHosts: ['127.0.0.1'],
  files: { folder: writeBuiltSite({ 'browser/robots.txt': 'User-agent: *' }) },
});

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A WebSocket that is open, and what its server has sent. */
async function openSocket(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

test('close() ends WebSockets with 1001, where their server was there first', async () => {
  const ssr = ssrMiddleware(options());
  const server = createServer((request, response) => void ssr(request, response, () => undefined));
  const sockets = new WebSocketServer({ server });
  const close = shutDownOnSignals(server, ssr, false);
  const port = await listen(server);
  const heard = once(sockets, 'connection');
  const client = await openSocket(port);
  const [accepted] = (await heard) as [WebSocket];
  const seen = [once(client, 'close'), once(accepted, 'close')];
  await close();
  for (const [code] of await Promise.all(seen)) expect(code).toBe(1001);
  expect(said).not.toHaveBeenCalled();
});

test('close() does not wait for a WebSocket whose client sends nothing', async () => {
  const ssr = ssrMiddleware(options());
  const server = createServer((request, response) => void ssr(request, response, () => undefined));
  new WebSocketServer({ server });
  const close = shutDownOnSignals(server, ssr, false);
  const client = await openSocket(await listen(server));
  client.pause();
  await close();
  expect(said).not.toHaveBeenCalled();
});

test('close() ends the WebSockets of @fastify/websocket', async () => {
  const server = createFastifySsrServer(options());
  await server.app.register(websocket);
  server.app.register(async (scope) => {
    scope.get('/live', { websocket: true }, (socket) => void socket.send('hello'));
  });
  const { port } = await server.listen({
    port: 0,
    host: '127.0.0.1',
    announce: false,
    shutdown: false,
  });
  const client = await openSocket(port);
  const closed = once(client, 'close');
  await server.close();
  expect((await closed)[0]).toBe(1001);
  expect(said).not.toHaveBeenCalled();
});

test('close() ends HTTP/2 when the requests in flight are answered', async () => {
  const ssr = ssrMiddleware(options());
  const server = createHttp2Server((request, response) => ssr(request, response, () => undefined));
  const close = shutDownOnSignals(server, ssr, false);
  const port = await listen(server);
  const session = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  const begun = once(server, 'request');
  const stream = session.request({ ':path': '/rendered' });
  let body = '';
  stream.setEncoding('utf8').on('data', (text: string) => (body += text));
  const answered = once(stream, 'end');
  const ended = once(session, 'close');
  await begun;
  await Promise.all([close(), answered, ended]);
  expect(body).toBe('page');
  expect(server.listening).toBe(false);
  expect(said).not.toHaveBeenCalled();
});

test('close() ends with the last long poll, where a library has taken over the listeners', async () => {
  const server = createNodeSsrServer(options());
  const { port, server: http } = await server.listen({
    port: 0,
    host: '127.0.0.1',
    announce: false,
    shutdown: false,
  });
  // As engine.io attaches: its own requests never reach the listeners that were there.
  const polls: ServerResponse[] = [];
  const listeners = http.listeners('request') as RequestListener[];
  http.removeAllListeners('request');
  http.on('request', (request, response) => {
    if (request.url?.startsWith('/socket.io/') === true) polls.push(response);
    else for (const listener of listeners) listener.call(http, request, response);
  });
  const poll = requestBytes({ target: '/socket.io/?t=1', headers: { host: '127.0.0.1' } });
  const page = requestBytes({ target: '/robots.txt', headers: { host: '127.0.0.1' } });
  const [polling, reading] = [await RawConnection.open(port), await RawConnection.open(port)];
  reading.write(page);
  expect((await reading.read()).status).toBe(200);
  for (const last of [false, true]) {
    polling.write(poll);
    await expect.poll(() => polls.length).toBe(1);
    const closed = last ? server.close() : undefined;
    await turn();
    polls.pop()!.end('message');
    const answer = await polling.read();
    expect([String(answer.body), headerOf(answer, 'connection')]).toEqual([
      'message',
      last ? 'close' : 'keep-alive',
    ]);
    await closed;
  }
  expect(said).not.toHaveBeenCalled();
});
