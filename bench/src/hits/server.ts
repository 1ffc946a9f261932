/**
 * One server of the comparison, in a process of its own: `node server.ts <name> <browser folder>`.
 * It tells its port when it listens.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { createNodeSsrServer } from '@ng-ssr/node/server';

const [name = '', browserFolder = ''] = process.argv.slice(2);
const options = {
  engine: () => null,
  allowedHosts: ['127.0.0.1'],
  files: { folder: browserFolder },
};

/** The least node:http can do: one writeHead with a prebuilt list, and end. */
function createLimit(): RequestListener {
  const page = readFileSync(join(browserFolder, 'index.html'));
  const fields = [
    ...['Content-Length', String(page.byteLength)],
    ...['Content-Type', 'text/html; charset=utf-8'],
    ...['Cache-Control', 'no-cache'],
    ...['Vary', 'Accept-Encoding'],
    ...['ETag', '"0123456789abcdef"'],
    ...['Last-Modified', 'Fri, 20 Nov 2026 12:00:00 GMT'],
    ...['Accept-Ranges', 'bytes'],
    ...['Cache-Status', 'ng-ssr; hit'],
  ];
  return (_request, response) => {
    response.writeHead(200, fields);
    response.end(page);
  };
}

const servers: Record<string, () => { reqHandler: RequestListener; ready?: () => Promise<void> }> =
  {
    limit: () => ({ reqHandler: createLimit() }),
    node: () => createNodeSsrServer(options),
    'node before-middleware': () => createNodeSsrServer({ ...options, hits: 'before-middleware' }),
    koa: () => createKoaSsrServer(options),
    'koa before-middleware': () => createKoaSsrServer({ ...options, hits: 'before-middleware' }),
  };

const server = servers[name]?.();
if (server === undefined) throw new Error(`no server ${name}: ${Object.keys(servers).join(', ')}`);
await server.ready?.();
const listening = createServer(server.reqHandler).listen(0, '127.0.0.1', () => {
  process.send?.(listening.address());
});
process.on('disconnect', () => process.exit());
