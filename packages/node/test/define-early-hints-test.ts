import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { type SsrOptions, withEarlyHints } from '@ng-ssr/core';
import type { SsrServer } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const DOCUMENT = `<!doctype html><html><head><base href="/">
  <link rel="stylesheet" href="styles.css"><link rel="modulepreload" href="chunk.js">
</head><body></body></html>`;
const LINK =
  '</styles.css>; rel=preload; as=style, </chunk.js>; rel=modulepreload, ' +
  '</chunk-route.js>; rel=modulepreload';
const HINTS = `HTTP/1.1 103 Early Hints\r\nLink: ${LINK}\r\n\r\n`;
const NAVIGATION = 'Sec-Fetch-Mode: navigate\r\n';

/** A server whose renders wait for `land`, but the first of each path. */
async function start(createServer: (options: SsrOptions) => SsrServer) {
  const pageOf = (path: string) =>
    `${DOCUMENT}${path}<link rel="modulepreload" href="chunk-route.js">`;
  const seen = new Set<string>();
  let land!: () => void;
  const landed = new Promise<void>((resolve) => (land = resolve));
  const server = createServer({
    engine: async ({ url }) => {
      const { pathname } = new URL(url);
      if (seen.has(pathname)) await landed;
      seen.add(pathname);
      const headers = { 'content-type': 'text/html' };
      return new Response(pageOf(pathname), { headers });
    },
    allowedHosts: ['127.0.0.1'],
    files: {
      folder: writeBuiltSite({
        'browser/index.csr.html': DOCUMENT,
        'browser/about/index.html': prerendered('about'),
        'browser/styles.css': 'html{}',
        'browser/chunk.js': '',
        'browser/chunk-route.js': '',
      }),
    },
    routeRules: { '/stored': { sMaxAge: 60 } },
    features: [withEarlyHints()],
  });
  onTestFinished(() => server.close());
  const { port } = await server.listen({
    port: 0,
    host: '127.0.0.1',
    announce: false,
    shutdown: false,
  });
  return { server, port, land };
}

/** A connection, and all bytes that it has received. */
async function open(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  await once(socket, 'connect');
  return {
    received: () => received,
    send: (target: string, headers = NAVIGATION, method = 'GET', version = '1.1') =>
      socket.write(`${method} ${target} HTTP/${version}\r\nHost: 127.0.0.1\r\n${headers}\r\n`),
    reset: () => (received = ''),
  };
}

/** How an adapter sends 103 (Early Hints). */
export function defineEarlyHintsTest(createServer: (options: SsrOptions) => SsrServer): void {
  test('a 103 comes before the render, and the answer after it on the same connection', async () => {
    const { port, land } = await start(createServer);
    const browser = await open(port);
    // Learned from the first render, which needs no browser.
    browser.send('/page', '');
    await expect.poll(browser.received).toContain('/page<link');
    expect(browser.received()).not.toContain(' 103 ');
    browser.reset();

    browser.send('/page');
    await expect.poll(browser.received).toBe(HINTS);
    land();
    await expect.poll(browser.received).toContain('/page<link');
    expect(browser.received().slice(HINTS.length)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    browser.reset();
    browser.send('/about');
    await expect.poll(browser.received).toContain('about</app-root>');
    expect(browser.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('hits, and clients that are no browsers, get the answer alone', async () => {
    const { port, land } = await start(createServer);
    land();
    const first = await open(port);
    first.send('/stored');
    await expect.poll(first.received).toContain('/stored<link');
    expect(first.received()).toMatch(/^HTTP\/1\.1 103 /);
    for (const [target, headers, method, version] of [
      ['/stored', NAVIGATION],
      ['/about', NAVIGATION],
      ['/styles.css', NAVIGATION],
      ['/page', ''],
      ['/page', 'Sec-Fetch-Mode: cors\r\n'],
      ['/page', NAVIGATION, 'HEAD'],
      ['/page', NAVIGATION, 'POST'],
      ['/page', NAVIGATION, 'GET', '1.0'],
      ['/page', `${NAVIGATION}If-None-Match: "tag"\r\n`],
    ] as const) {
      const client = await open(port);
      client.send(target, headers, method, version);
      await expect.poll(client.received).toContain('\r\n\r\n');
      expect(client.received()).toMatch(/^HTTP\/1\.1 (200|405) /);
    }
  });
}

/** The same over HTTP/2, for adapters whose framework takes it. */
export function defineHttp2EarlyHintsTest(createServer: (options: SsrOptions) => SsrServer): void {
  test('over HTTP/2 a 103 comes before the render', async () => {
    const { server, land } = await start(createServer);
    const http2 = createHttp2Server(server.reqHandler).listen(0, '127.0.0.1');
    onTestFinished(() => void http2.close());
    await once(http2, 'listening');
    const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`);
    onTestFinished(() => session.destroy());
    /** The heads of the answer, as they come. */
    const get = (path: string, mode: string) => {
      const stream = session.request({ ':path': path, 'sec-fetch-mode': mode });
      const heads: unknown[] = [];
      // Interim responses, and then the final one.
      stream.on('headers', (head) => heads.push([head[':status'], head['link']]));
      stream.on('response', (head) => heads.push(head[':status']));
      return { heads, ended: once(stream.resume(), 'end') };
    };
    const first = get('/page', 'cors');
    await first.ended;
    expect(first.heads).toEqual([200]);
    const second = get('/page', 'navigate');
    await expect.poll(() => second.heads).toEqual([[103, LINK]]);
    land();
    await second.ended;
    expect(second.heads).toEqual([[103, LINK], 200]);
    const hit = get('/about', 'navigate');
    await hit.ended;
    expect(hit.heads).toEqual([200]);
  });
}
