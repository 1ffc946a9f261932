/**
 * The least a socket of Node can do with a page: what is read is not parsed, and each read is one request. What a server
 * adds to this, it could save; what this takes, is the kernel's and Node's own.
 */
import { createServer, type AddressInfo } from 'node:net';
import { readLimitPage } from './limit-page.ts';

const page = readLimitPage();
const brotli = toBytes('200 OK', page.brotli.headers, page.brotli.body);
const notModified = toBytes('304 Not Modified', page.notModified.headers);

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', (bytes) => socket.write(bytes.includes(page.etag) ? notModified : brotli));
  // wrk resets its connections at the end of a round.
  socket.on('error', () => socket.destroy());
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

function toBytes(status: string, headers: readonly [string, string][], body = new Uint8Array()) {
  const all = [...headers, ['Date', 'Fri, 20 Nov 2026 12:00:00 GMT'], ['Connection', 'keep-alive']];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines}\r\n`), body]);
}
