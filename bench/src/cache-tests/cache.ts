/**
 * ng-ssr as a cache in front of the origin of the cache tests, as a program: its engine fetches a page from the origin,
 * and requests that may change data go to the origin as those of a route do.
 *
 *   node bench/src/cache-tests/cache.ts <origin> <port>
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeSsrServer } from '@ng-ssr/node/server';

const [origin = '', port] = process.argv.slice(2);

/** Headers of one connection (RFC 9110 section 7.6.1), and those that fetch sets. */
const OF_THE_CONNECTION = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'],
  ...['host', 'expect'],
]);

const build = mkdtempSync(join(tmpdir(), 'ng-ssr-cache-tests-'));
mkdirSync(join(build, 'browser'));
writeFileSync(join(build, 'browser/index.csr.html'), '<!doctype html><title>CSR</title>');
process.once('exit', () => rmSync(build, { recursive: true }));

const server = createNodeSsrServer({
  engine: ({ url, headers, signal }) => {
    const { pathname, search } = new URL(url);
    return fetch(origin + pathname + search, { headers, signal, redirect: 'manual' });
  },
  allowedHosts: ['127.0.0.1'],
  files: { folder: join(build, 'browser') },
  // The tests compare tags and Vary with those of the origin, which a content encoding changes.
  cache: { encodings: [] },
  render: { encodings: [], concurrency: 100 },
});
server.use((request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  forward(request, response).catch((error: Error) => response.destroy(error));
});
await server.listen({ host: '127.0.0.1', port: Number(port) });

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const content: Buffer[] = [];
  for await (const chunk of request) content.push(chunk as Buffer);
  const { method = 'GET', url = '/', rawHeaders } = request;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!OF_THE_CONNECTION.has(rawHeaders[i]!.toLowerCase())) {
      headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
    }
  }
  const body = content.length > 0 ? Buffer.concat(content) : null;
  const answer = await fetch(origin + url, { method, headers, body, redirect: 'manual' });
  const sent = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
  response.writeHead(answer.status, sent.flat());
  response.end(Buffer.from(await answer.arrayBuffer()));
}
