import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { html, storedServer } from '../../pages/stored-server.ts';
import { startApi } from './api-server.ts';
import { withCalls } from '@ng-ssr/core';
import { usePagesAsRoutes } from './pages-as-routes.ts';

it('a page may read the content of a call after it has made the next one', async () => {
  const { origin } = await startApi();
  const server = storedServer(
    async () => {
      // More than one chunk.
      const first = await fetch(`${origin}/bytes?count=300000`);
      const second = await fetch(`${origin}/bytes?count=3`);
      return html(`${(await first.text()).length} ${(await second.text()).length}`, {});
    },
    { features: [withCalls({ '**': { concurrency: 1, timeoutMs: 20_000 } })] },
  );
  expect((await server.get('/p')).text).toContain('300000 3');
});

it('content that is not read, or cancelled, or too long, keeps no place', async () => {
  const { origin } = await startApi();
  const server = storedServer(
    async () => {
      await fetch(`${origin}/bytes?count=300000`);
      await (await fetch(`${origin}/drip`)).body!.cancel();
      const long = await fetch(`${origin}/big`);
      const { status } = await fetch(`${origin}/status?code=201`);
      const error = await long.text().catch(({ code }: { code: string }) => code);
      return html(`${status} ${error}`, {});
    },
    { features: [withCalls({ '**': { concurrency: 1, timeoutMs: 20_000, maxBytes: 1_000_000 } })] },
  );
  expect((await server.get('/p')).text).toContain('201 NG_SSR_CALL_TOO_LARGE');
});

it('a call that fails leaves its place to the next', async () => {
  const { origin } = await startApi();
  const server = storedServer(
    async () => {
      const failed = await fetch(`${origin}/reset`).catch(({ code }: { code: string }) => code);
      const { status } = await fetch(`${origin}/status?code=201`);
      return html(`${failed} ${status}`, {});
    },
    { features: [withCalls({ '**': { concurrency: 1, timeoutMs: 20_000 } })] },
  );
  expect((await server.get('/p')).text).toContain('NG_SSR_CALL_FAILED 201');
});

it('a call that is tried again gives up the response before', async () => {
  let closed: Promise<unknown> | undefined;
  const api = createServer((_request, response) => {
    if (closed !== undefined) return void closed.then(() => response.end('answer'));
    closed = once(response, 'close');
    response.writeHead(503).write('an answer without an end');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void api.close().closeAllConnections());
  await once(api, 'listening');
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
  const server = storedServer(async () => html(await (await fetch(url)).text(), {}), {
    features: [withCalls({ '**': { retries: 1, timeoutMs: 5_000 } })],
  });
  expect((await server.get('/p')).text).toContain('answer');
});

it('a page that another page waits for does not wait for its place', async () => {
  const { origin } = await startApi();
  const server = storedServer(
    async ({ url }) => {
      const { pathname } = new URL(url);
      const next = pathname === '/inner/1' ? '/inner/2' : `${origin}/bytes?count=3`;
      const response = await fetch(pathname === '/outer' ? '/inner/1' : next);
      return html(`${pathname} of ${await response.text()}`, { 'cache-control': 'no-store' });
    },
    {
      features: [
        withCalls({
          '/inner/**': { inProcess: true, concurrency: 1, timeoutMs: 20_000 },
          '**': { concurrency: 1, timeoutMs: 20_000 },
        }),
      ],
    },
  );
  usePagesAsRoutes(server);
  const pages = await Promise.all([server.get('/outer?1'), server.get('/outer?2')]);
  for (const { text } of pages) {
    expect(text).toContain('/outer of');
    expect(text).toContain('/inner/2 of');
    expect(text).toContain('xxx');
  }
});
