/** Serves the production build with compression, which the adapter leaves to the server around it. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import compression from 'compression';
import { handler } from './dist/server/entry.mjs';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
const folder = join(import.meta.dirname, 'dist/client');
const compress = compression();

function sendFile(request, response, next) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = join(folder, pathname === '/' ? 'index.html' : pathname);
  if (!existsSync(file) || !statSync(file).isFile()) return next();
  response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
  createReadStream(file).pipe(response);
}

const server = createServer((request, response) => {
  compress(request, response, () => sendFile(request, response, () => handler(request, response)));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://localhost:${server.address().port}/`);
});
