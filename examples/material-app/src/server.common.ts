import { REQUEST, RESPONSE_INIT } from '@angular/core';
import { CommonEngine, isMainModule } from '@angular/ssr/node';
import { createServer } from 'node:http';
import { join } from 'node:path';
import bootstrap from './main.server';

const browser = join(import.meta.dirname, '../browser');
const engine = new CommonEngine({ allowedHosts: ['localhost', '127.0.0.1'] });

if (isMainModule(import.meta.url)) {
  createServer((req, res) => {
    const url = `http://${req.headers.host}${req.url}`;
    const init: ResponseInit = {
      headers: new Headers({ 'content-type': 'text/html;charset=UTF-8' }),
    };
    const request = new Request(url, { headers: req.headers as Record<string, string> });
    engine
      .render({
        bootstrap,
        documentFilePath: join(import.meta.dirname, 'index.server.html'),
        publicPath: browser,
        url,
        providers: [
          { provide: REQUEST, useValue: request },
          { provide: RESPONSE_INIT, useValue: init },
        ],
      })
      .then((html) => {
        res.statusCode = init.status ?? 200;
        res.setHeaders(new Headers(init.headers));
        res.end(html);
      })
      .catch((error: unknown) => {
        console.error(error);
        res.writeHead(500).end('engine: rejected\n');
      });
  }).listen(Number(process.env['PORT'] ?? 4001));
}
