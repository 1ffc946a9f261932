/**
 * The least node:http can do, in THREADS threads on one port, which the kernel spreads connections over: what
 * threads can gain on this machine. PUBLIC_KEY has it check the visitor's session as well.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readLimitPage } from './limit-page.ts';
import { readSession } from './session-token.ts';

const page = readLimitPage();
const brotli = page.brotli.headers.flat();
const key = process.env['PUBLIC_KEY'];
const threads = Number(process.env['THREADS'] ?? 1);

function listen(port: number): Promise<number> {
  const server = createServer((request, response) => {
    if (key !== undefined && readSession(request.headers.cookie, key) === undefined) {
      response.writeHead(401).end();
    } else {
      response.writeHead(200, brotli).end(page.brotli.body);
    }
  });
  return new Promise((resolve) => {
    server.listen({ port, host: '127.0.0.1', reusePort: threads > 1 }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

if (isMainThread) {
  const port = await listen(0);
  const workers = Array.from(
    { length: threads - 1 },
    () => new Worker(new URL(import.meta.url), { workerData: port, argv: process.argv.slice(2) }),
  );
  const ready = workers.map((worker) => new Promise((resolve) => worker.once('message', resolve)));
  await Promise.all(ready);
  console.log(`Listening on http://127.0.0.1:${port}/`);
} else {
  await listen(workerData as number);
  parentPort?.postMessage('ready');
}
