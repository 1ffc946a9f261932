import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { NodeExchange } from '@ng-ssr/node/adapter';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { expect, test } from 'vitest';
import { defineEarlyHintsTest, defineHttp2EarlyHintsTest } from './define-early-hints-test.ts';

defineEarlyHintsTest(createNodeSsrServer);
defineHttp2EarlyHintsTest(createNodeSsrServer);

const LINKS = ['</styles.css>; rel=preload; as=style'];

/** Calls `use` with the exchange of a request to a real server, and returns all bytes of the answer. */
async function receive(use: (exchange: NodeExchange) => void): Promise<string> {
  const server = createServer((request, response) => {
    use(new NodeExchange(request, response));
    response.end('page');
  });
  let received = '';
  const client = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, done) => {
      received += String(chunk);
      done();
    },
  });
  server.emit('connection', client);
  client.push('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => received).toContain('page');
  client.destroy();
  return received;
}

test('a stand-in for a socket, as serverless platforms have, gets no 103', async () => {
  expect(await receive((exchange) => exchange.earlyHints(LINKS))).toMatch(/^HTTP\/1\.1 200 /);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['begun', (response) => void response.flushHeaders()],
  ['destroyed', (response) => void response.destroy()],
  [
    'that middleware has replaced',
    (response) => void Object.assign(response, { writeEarlyHints: undefined }),
  ],
  [
    'that fails',
    (response) =>
      void Object.assign(response, {
        writeEarlyHints: () => {
          throw new Error('no hints');
        },
      }),
  ],
])('earlyHints() does nothing for a response %s', async (_name, change) => {
  const server = createServer((request, response) => {
    change(response);
    expect(() => new NodeExchange(request, response).earlyHints(LINKS)).not.toThrow();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  expect([undefined, 200]).toContain(answer?.status);
  server.close();
});
