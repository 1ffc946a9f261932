import { expect, test } from 'vitest';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { prerendered, writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';
import { countWork } from './count-work.ts';

const site = { 'browser/index.html': prerendered('x'.repeat(60_000)) };
const hits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  page: {},
  brotli: { 'accept-encoding': 'gzip, deflate, br, zstd' },
  'not modified': { 'if-none-match': 'W/"a", "b"' },
  'not modified since': { 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' },
};

for (const [name, headers] of Object.entries(hits)) {
  test(`a hit (${name}) runs no regular expression, promise, URL, Request, fs, hash or encoding`, async () => {
    const handler = new SsrHandler({
      engine: () => null,
      allowedHosts: ['localhost'],
      files: { folder: writeBuiltSite(site) },
    });
    await handler.ready();
    handler.answer(plainExchange('/', headers)); // What a distinct header value costs, it costs once.

    const exchange = plainExchange('/?utm_source=x', headers);
    let answer: unknown;
    const work = countWork(() => {
      answer = handler.answer(exchange);
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(work).toEqual({});
  });
}

test('the counter sees what it counts', () => {
  const work = countWork(() => {
    /a/.test('a');
    'a'.replace(/a/, 'b');
    new URL('http://localhost');
    void Promise.resolve().then(() => undefined);
  });
  expect(work).toMatchObject({ 'RegExp.exec': expect.any(Number), URL: 1, 'Promise.then': 1 });
});
