import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeSsrServer, ssrMiddleware } from '@ng-ssr/node/server';
import { afterEach, expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const headers = { 'content-type': 'text/html', 'cache-control': 's-maxage=60' };
const PAGE = '<!doctype html><title>Page</title>';

function options() {
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('x'.repeat(2000)) });
  const engine = (): Response => new Response(PAGE, { headers });
  return { engine, allowedHosts: ['127.0.0.1'], files: { folder } };
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Notes the length of each response when it is finished, as loggers do that replace nothing. */
function logTo(lengths: Promise<unknown>[]) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const finished = once(response, 'finish');
    lengths.push(finished.then(() => response.getHeader('content-length')));
  };
}

/** A prerendered page, a render, its hit, and a part. */
async function lengthsOf(origin: string): Promise<number[]> {
  const lengths: number[] = [];
  for (const path of ['/', '/rendered', '/rendered']) {
    const response = await fetch(`${origin}${path}`);
    lengths.push((await response.arrayBuffer()).byteLength);
  }
  const part = await fetch(`${origin}/`, { headers: { range: 'bytes=0-9' } });
  lengths.push((await part.arrayBuffer()).byteLength);
  return lengths;
}

test('middleware that sets no header can read the headers of a response when it is finished', async () => {
  const lengths: Promise<unknown>[] = [];
  const log = logTo(lengths);
  const server = createNodeSsrServer(options()).use((request, response, next) => {
    log(request, response);
    next();
  });
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  ends.push(() => server.close());
  const sent = await lengthsOf(`http://127.0.0.1:${port}`);
  expect((await Promise.all(lengths)).map(Number)).toEqual(sent);
});

test('so can a server of the program around ssrMiddleware()', async () => {
  const lengths: Promise<unknown>[] = [];
  const log = logTo(lengths);
  const ssr = ssrMiddleware(options());
  const server = createServer((request, response) => {
    log(request, response);
    ssr(request, response, () => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.close();
    await ssr.close();
  });
  const sent = await lengthsOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect((await Promise.all(lengths)).map(Number)).toEqual(sent);
});
