/** Hits that are not like others, by the node adapter before middleware or by the least that node:http can do. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createNodeSsrServer, withNonce } from '@ng-ssr/node/server';

/** What is served, as the program's argument (JSON). */
export interface SpecialHits {
  readonly isLimit: boolean;
  /** Of the built browser files. */
  readonly folder: string;
  /** Over TLS. */
  readonly pair?: { readonly key: string; readonly cert: string };
  /** What each answer replaces by a nonce of its own; the home page has it once. */
  readonly placeholder?: string;
}

const { isLimit, folder, pair, placeholder } = JSON.parse(process.argv[2] ?? '') as SpecialHits;
const serverOf = (listener: http.RequestListener): http.Server =>
  pair === undefined ? http.createServer(listener) : https.createServer(pair, listener);
const { port } = await (isLimit ? listenAsLimit() : listen());
console.log(`Listening on ${pair === undefined ? 'http' : 'https'}://127.0.0.1:${port}/`);

async function listen(): Promise<AddressInfo> {
  const policy = `script-src 'nonce-${placeholder}'`;
  const ssr = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder },
    serveHits: 'before-middleware',
    features: placeholder === undefined ? [] : [withNonce({ placeholder, policy })],
  });
  await ssr.ready();
  const server = serverOf(ssr.reqHandler as http.RequestListener);
  const { port } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false, server });
  return { port } as AddressInfo;
}

function listenAsLimit(): Promise<AddressInfo> {
  const body = readFileSync(join(folder, 'index.html'));
  const headers = [
    'Content-Length',
    String(body.byteLength),
    'Content-Type',
    'text/html; charset=utf-8',
  ];
  headers.push('Cache-Control', 'no-cache', 'Cache-Status', 'ng-ssr; hit');
  const at = placeholder === undefined ? -1 : body.indexOf(placeholder);
  const server = serverOf((_request, response) => {
    if (placeholder === undefined) return void response.writeHead(200, headers).end(body);
    const nonce = randomBytes(18).toString('base64');
    const filled = Buffer.from(body);
    filled.write(nonce, at);
    const policy = `script-src 'nonce-${nonce}'`;
    response.writeHead(200, [...headers, 'Content-Security-Policy', policy]).end(filled);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
}
