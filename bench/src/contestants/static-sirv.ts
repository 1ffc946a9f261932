/** sirv in production mode on node:http, with the files read ahead of requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sirv from 'sirv';

const serve = sirv(join(process.argv[2] ?? '', 'browser'), { etag: true, brotli: true });
const server = createServer((request, response) => {
  serve(request, response, () => void response.writeHead(404).end());
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
