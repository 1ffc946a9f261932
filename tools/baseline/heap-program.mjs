/** Starts a server over the folder in its first argument, and prints its memory. It needs `--expose-gc`. */
import { setTimeout as wait } from 'node:timers/promises';
import { createNodeSsrServer } from '@ng-ssr/node/server';

/** Collections until objects of earlier ones are gone, weak references included. */
const COLLECTIONS = 5;

const server = createNodeSsrServer({
  engine: () => null,
  allowedHosts: ['127.0.0.1'],
  // Encodings would be made for as long as this program runs.
  files: { folder: process.argv[2], encodings: [] },
});
await server.ready();
await server.listen({ port: 0, host: '127.0.0.1', announce: false });
for (let count = 0; count < COLLECTIONS; count++) {
  await wait(100);
  globalThis.gc();
}
const { heapUsed, arrayBuffers } = process.memoryUsage();
console.log(JSON.stringify({ heapUsed, arrayBuffers }));
await server.close();
