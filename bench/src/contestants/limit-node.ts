/** The least node:http can do: one writeHead with a prebuilt list, and end. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readLimitPage } from './limit-page.ts';

const page = readLimitPage();
const identity = page.identity.headers.flat();
const brotli = page.brotli.headers.flat();
const notModified = page.notModified.headers.flat();

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === page.etag) {
    response.writeHead(304, notModified).end();
  } else if (request.headers['accept-encoding']?.includes('br')) {
    response.writeHead(200, brotli).end(page.brotli.body);
  } else {
    response.writeHead(200, identity).end(page.identity.body);
  }
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
