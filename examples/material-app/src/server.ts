import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from '@angular/ssr/node';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const browser = join(import.meta.dirname, '../browser');
const engine = new AngularNodeAppEngine();
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
};

function listener(
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
): void {
  const path = new URL(req.url ?? '/', 'http://localhost').pathname;
  const file = join(browser, path);
  if (extname(path) && statSync(file, { throwIfNoEntry: false })?.isFile()) {
    res.setHeader('Content-Type', types[extname(path)] ?? 'text/plain');
    createReadStream(file).pipe(res);
    return;
  }
  engine
    .handle(req)
    .then((response) => {
      if (response) return writeResponseToNodeResponse(response, res);
      if (next) return next();
      res.writeHead(404).end('engine: null\n');
      return;
    })
    .catch((error: unknown) => {
      if (next) return next(error);
      console.error(error);
      res.writeHead(500).end('engine: rejected\n');
    });
}

if (isMainModule(import.meta.url)) {
  createServer((req, res) => listener(req, res)).listen(Number(process.env['PORT'] ?? 4000));
}

export const reqHandler = createNodeRequestHandler(listener);
