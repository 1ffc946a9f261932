import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ssrMiddleware } from '@ng-ssr/node/server';
import { isNginxMissing, startNginx } from './nginx-server.ts';

/** What the server says to a request: the URL of the page that it renders, or the status of a refusal. */
async function ask(to: RequestOptions, headers: Readonly<Record<string, string>>): Promise<string> {
  const sent = request({ host: '127.0.0.1', path: '/page', headers, ...to }).end();
  const content = await new Promise<string>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      const { statusCode } = response;
      text(response).then((read) => resolve(statusCode === 200 ? read : `${statusCode}`), reject);
    });
  });
  return content;
}

/** One handler, whatever listens for it. */
function toListener(trustProxyHeaders: string[] = []) {
  const ssr = ssrMiddleware({
    engine: ({ url }) => new Response(url, { headers: { 'content-type': 'text/plain' } }),
    allowedHosts: ['shop.example', 'mapped.example:8080'],
    trustProxyHeaders,
    onError: () => undefined,
  });
  return async (place: number | string): Promise<number> => {
    const server = createServer((asked, response) => {
      void ssr(asked, response, () => response.writeHead(404).end());
    });
    if (typeof place === 'number') server.listen(place, '127.0.0.1');
    else server.listen(place);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return typeof place === 'number' ? (server.address() as AddressInfo).port : 0;
  };
}

test('each of several listeners answers at its own port', async () => {
  const listen = toListener();
  const [one, other] = [await listen(0), await listen(0)];
  for (let round = 0; round < 2; round++) {
    for (const [port, foreign] of [
      [one, other],
      [other, one],
    ] as const) {
      const at = (asked: number): Promise<string> =>
        ask({ port }, { host: `shop.example:${asked}` });
      expect(await at(port)).toBe(`http://shop.example:${port}/page`);
      expect(await at(foreign)).toBe('400');
      expect(await at(80)).toBe('http://shop.example/page');
      expect(await ask({ port }, { host: 'mapped.example:8080' })).toBe(
        'http://mapped.example:8080/page',
      );
    }
  }
});

test.skipIf(process.platform === 'win32')('a Unix socket has no port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const socketPath = join(folder, 'socket');
  await toListener()(socketPath);
  expect(await ask({ socketPath }, { host: 'shop.example' })).toBe('http://shop.example/page');
  expect(await ask({ socketPath }, { host: 'shop.example:4000' })).toBe('400');
  expect(await ask({ socketPath }, { host: 'mapped.example:8080' })).toBe(
    'http://mapped.example:8080/page',
  );
});

test.skipIf(isNginxMissing())(
  'behind nginx the port is that of a trusted header, or none',
  async () => {
    const direct = await toListener()(0);
    const trusting = await toListener(['x-forwarded-host', 'x-forwarded-port'])(0);
    const start = async (port: number, headers: readonly string[]): Promise<number> => {
      const lines = headers.map((header) => `proxy_set_header ${header};`);
      const nginx = await startNginx(`proxy_pass http://127.0.0.1:${port};\n${lines.join('\n')}`);
      onTestFinished(() => nginx.stop());
      return nginx.port;
    };
    const bare = await start(direct, ['Host $host']);
    expect(await ask({ port: bare }, { host: `shop.example:${bare}` })).toBe(
      'http://shop.example/page',
    );
    const whole = await start(direct, ['Host $http_host']);
    expect(await ask({ port: whole }, { host: `shop.example:${whole}` })).toBe('400');
    expect(await ask({ port: whole }, { host: 'shop.example' })).toBe('http://shop.example/page');
    const told = await start(trusting, [
      'X-Forwarded-Host $http_host',
      'X-Forwarded-Port $server_port',
    ]);
    const origin = `http://shop.example:${told}/page`;
    expect(await ask({ port: told }, { host: `shop.example:${told}` })).toBe(origin);
    expect(await ask({ port: told }, { host: 'shop.example' })).toBe(origin);
    // Neither a port of the client's choice, nor that of the connection from nginx.
    for (const other of [1, trusting]) {
      expect(await ask({ port: told }, { host: `shop.example:${other}` })).toBe('400');
    }
  },
);
