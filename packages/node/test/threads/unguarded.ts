/** A program that listens wherever it runs. It prints its port, and the errors of its render threads. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { withRenderThreads } from '@ng-ssr/node/server';

const create = process.argv[2] === 'fastify' ? createFastifySsrServer : createKoaSsrServer;
const server = create({
  engine: () => new Response(String(threadId), { headers: { 'content-type': 'text/html' } }),
  allowedHosts: ['127.0.0.1'],
  files: { folder: mkdtempSync(join(tmpdir(), 'ng-ssr-unguarded-')) },
  features: [withRenderThreads({ threads: 1 })],
  onError: ({ code, message }) => console.log(JSON.stringify({ code, message })),
});
void server
  .listen({ port: 0, host: '127.0.0.1', announce: false })
  .then(({ port }) => console.log(JSON.stringify({ port })));
