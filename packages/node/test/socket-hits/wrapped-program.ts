/**
 * Wraps a function of node:http before ng-ssr is loaded, sends hits over one connection, and prints how many of them
 * node:http has read, and how often the wrapper was called: for socket-hits-wrappers.spec.ts.
 */
import { EventEmitter, once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { requestsOfNode } from './requests-of-node.ts';

type AnyFunction = (...parameters: unknown[]) => unknown;

const [name = '', folder = '', hits = ''] = process.argv.slice(2);
const REQUEST = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
let calls = 0;

function wrap(object: object, member: string, isCounted: AnyFunction = () => true): void {
  const functions = object as Record<string, AnyFunction>;
  const own = functions[member]!;
  functions[member] = function (this: unknown, ...parameters) {
    if (isCounted(...parameters)) calls++;
    return Reflect.apply(own, this, parameters);
  };
}

const isRequest = (event: unknown): boolean => event === 'request';
const WRAPS: Readonly<Record<string, () => void>> = {
  none: () => undefined,
  'ServerResponse.writeHead': () => wrap(http.ServerResponse.prototype, 'writeHead'),
  'ServerResponse.write': () => wrap(http.ServerResponse.prototype, 'write'),
  'ServerResponse.end': () => wrap(http.ServerResponse.prototype, 'end'),
  'OutgoingMessage.end': () => wrap(http.OutgoingMessage.prototype, 'end'),
  'Server.emit': () => wrap(http.Server.prototype, 'emit', isRequest),
  'EventEmitter.emit': () => wrap(EventEmitter.prototype, 'emit', isRequest),
  createServer: () => {
    const { createServer } = http;
    http.createServer = ((listener: unknown) =>
      typeof listener === 'function'
        ? createServer((...pair) => {
            calls++;
            (listener as RequestListener)(...pair);
          })
        : createServer()) as typeof createServer;
  },
};
WRAPS[name]!();

const { createNodeSsrServer } = await import('@ng-ssr/node/server');
const ssr = createNodeSsrServer({
  engine: () => null,
  allowedHosts: ['127.0.0.1'],
  files: { folder },
});
await ssr.ready();
const { port } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });

/** Sends hits, each when the one before it is answered. */
async function send(): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  for (let i = 0; i < Number(hits); i++) {
    socket.write(REQUEST);
    for (let text = ''; !text.endsWith('</html>');) text += String((await once(socket, 'data'))[0]);
  }
  socket.destroy();
}

// Connections are taken with their first hits.
await send();
calls = 0;
const read = await requestsOfNode(send);
process.stdout.write(`${JSON.stringify({ read, calls })}\n`);
await ssr.close();
