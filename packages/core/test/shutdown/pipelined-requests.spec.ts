import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { toConnections } from '@ng-ssr/core/shutdown';

it('of requests that come in one go while a server closes, the last closes the connection', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    if (responses.length < 2) return;
    for (const each of responses) each.end('answer');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  const connections = toConnections(server);
  await once(server, 'listening');
  connections.announceClose();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
  const answers = (await text(socket)).split('HTTP/1.1 200 OK').slice(1);
  expect(answers.map((answer) => /connection: (.*)\r/i.exec(answer)?.[1])).toEqual([
    'keep-alive',
    'close',
  ]);
});
