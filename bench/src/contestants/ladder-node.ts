/** A step of the ladder: node:http and CommonEngine, nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderPage, sayListening } from './article-page.ts';

const server = createServer((request, response) => {
  renderPage(request.headers.host ?? '', request.url ?? '').then(
    (html) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(html);
    },
    () => response.writeHead(500).end(),
  );
}).listen(0, '127.0.0.1', () => sayListening((server.address() as AddressInfo).port));
