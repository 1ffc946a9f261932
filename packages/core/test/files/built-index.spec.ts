import { rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  type SsrError,
  type SsrOptions,
  type Feature,
  withNonce,
  withPublicConfig,
} from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { headerOf } from '../header-of.ts';
import { countWork } from '../path/count-work.ts';
import { prerendered, writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

function createHandler(folder: string, options: Partial<SsrOptions> = {}): SsrHandler {
  return new SsrHandler({
    engine: () => null,
    allowedHosts: ['localhost'],
    ...options,
    files: { folder, ...options.files },
  });
}

test('an index.html that the build has not prerendered is a file, not a page', () => {
  const folder = writeBuiltSite({ 'browser/docs/index.html': '<p>hand-written</p>' });
  const handler = createHandler(folder);
  expect(handler.answer(plainExchange('/docs'))).toBeUndefined();
  expect(handler.answer(plainExchange('/docs/index.html'))?.status).toBe(200);
});

test('the status and headers a route declares are on the hit; a 410 has no 304', () => {
  const folder = writeBuiltSite({
    'browser/gone/index.html': prerendered('gone'),
    'prerendered-routes.json': JSON.stringify({
      routes: { '/gone': { status: 410, headers: { 'X-Route': 'gone', 'Content-Length': '1' } } },
    }),
  });
  const handler = createHandler(folder);
  const answer = handler.answer(plainExchange('/gone', { 'if-none-match': '*' }));
  expect(answer?.status).toBe(410);
  expect(headerOf(answer, 'X-Route')).toBe('gone');
  expect(headerOf(answer, 'Content-Length')).toBe(String(answer?.body?.byteLength));
});

test('files are in one piece of memory that no other thread has, apart from those that have changed', () => {
  const folder = writeBuiltSite({
    'browser/index.html': prerendered('<head></head>home'),
    'browser/about/index.html': prerendered('<head></head>about'),
    'browser/empty.txt': '',
    'browser/one.txt': 'one',
    'browser/other.bin': Buffer.from([0, 255, 1]),
  });
  const plain = createHandler(folder);
  const bodyOf = (handler: SsrHandler, path: string): Uint8Array =>
    handler.answer(plainExchange(path))!.body!;
  const all = ['/', '/about', '/one.txt', '/other.bin'].map((path) => bodyOf(plain, path));
  expect(all.map(String)).toEqual([
    prerendered('<head></head>home'),
    prerendered('<head></head>about'),
    'one',
    Buffer.from([0, 255, 1]).toString(),
  ]);
  expect(bodyOf(plain, '/empty.txt').byteLength).toBe(0);
  expect(new Set(all.map(({ buffer }) => buffer)).size).toBe(1);
  expect(all[0]!.buffer).toBeInstanceOf(ArrayBuffer);

  const configured = createHandler(folder, { features: [withPublicConfig({ name: 'own' })] });
  const [home, text, other] = ['/', '/one.txt', '/other.bin'].map((path) =>
    bodyOf(configured, path),
  );
  expect(String(home)).toContain('own');
  expect(String(text)).toBe('one');
  expect(text!.buffer).toBe(other!.buffer);
  // No piece is kept for what was built in place of what is sent.
  expect(text!.byteOffset + other!.byteOffset).toBeLessThan(6);
});

test('what passes files.maxBytes is read from the disk, pages last', async () => {
  const folder = writeBuiltSite({
    'browser/index.html': prerendered('p'.repeat(5000)),
    'browser/small.txt': 's'.repeat(100),
    'browser/large.txt': 'l'.repeat(6000),
  });
  const handler = createHandler(folder, { files: { maxBytes: 6000, encodings: [] } });
  expect(handler.answer(plainExchange('/'))?.status).toBe(200);
  expect(handler.answer(plainExchange('/small.txt'))?.status).toBe(200);
  expect(handler.answer(plainExchange('/large.txt'))).toBeUndefined();
  expect(await handler.largeFile(plainExchange('/large.txt'))).toMatchObject({ status: 200 });
});

test('encodings stop at files.maxBytes', async () => {
  const page = prerendered('p'.repeat(5000));
  const folder = writeBuiltSite({ 'browser/index.html': page });
  const errors: SsrError[] = [];
  const handler = createHandler(folder, {
    files: { maxBytes: page.length + 10 },
    onError: (error) => errors.push(error),
  });
  await handler.ready();
  const answer = handler.answer(plainExchange('/', { 'accept-encoding': 'br, gzip' }));
  expect(headerOf(answer, 'Content-Encoding')).toBeUndefined();
  expect(errors).toMatchObject([{ code: 'NG_SSR_ENCODING_FAILED' }]);
});

test('an encoded file beside the original is used when it decodes to it, else the encoding is made again', async () => {
  const text = 'the original, '.repeat(100);
  const encoded = gzipSync(text, { level: 1 });
  const folder = writeBuiltSite({
    'browser/right.txt': text,
    'browser/right.txt.gz': encoded,
    'browser/wrong.txt': text,
    'browser/wrong.txt.gz': gzipSync('something else'),
    'browser/bomb.txt': text,
    'browser/bomb.txt.gz': gzipSync('0'.repeat(50_000_000)),
  });
  const errors: SsrError[] = [];
  const handler = createHandler(folder, { onError: (error) => errors.push(error) });
  await handler.ready();
  const gzip = { 'accept-encoding': 'gzip' };
  expect(handler.answer(plainExchange('/right.txt', gzip))?.body).toEqual(encoded);
  for (const path of ['/wrong.txt', '/bomb.txt']) {
    const answer = handler.answer(plainExchange(path, gzip));
    expect(headerOf(answer, 'Content-Encoding')).toBe('gzip');
    expect(answer?.body).not.toEqual(encoded);
  }
  expect(errors.map(({ code }) => code)).toEqual([
    'NG_SSR_ENCODING_FAILED',
    'NG_SSR_ENCODING_FAILED',
  ]);
  // The encoded file is no page of its own.
  expect(handler.answer(plainExchange('/right.txt.gz'))).toBeUndefined();
});

test.each([
  ['/main-5INURTSO.js', 'public, max-age=31536000, immutable'],
  ['/chunk-QWERTY23.mjs', 'public, max-age=31536000, immutable'],
  ['/styles-ABCDEFG2.css', 'public, max-age=31536000, immutable'],
  ['/media/roboto-ABCDEFG2.woff2', 'public, max-age=31536000, immutable'],
  ['/index.csr.html', 'no-cache'],
  ['/main.js', 'public, max-age=0, must-revalidate'],
  ['/banner-SUMMER24.png', 'public, max-age=0, must-revalidate'],
  ['/main-abcdefg2.js', 'public, max-age=0, must-revalidate'],
  ['/chunk-DqzdSX_k.js', 'public, max-age=31536000, immutable'],
  ['/chunk-a5h_-uz-.js', 'public, max-age=31536000, immutable'],
  ['/my-document.css', 'public, max-age=0, must-revalidate'],
  ['/stats-20261120.js', 'public, max-age=0, must-revalidate'],
  ['/media/roboto-regular1.woff2', 'public, max-age=0, must-revalidate'],
])('%s gets %s', (path, cacheControl) => {
  const handler = createHandler(writeBuiltSite({ [`browser${path}`]: 'x' }));
  expect(headerOf(handler.answer(plainExchange(path)), 'Cache-Control')).toBe(cacheControl);
});

test('cacheControl overrides what the name says', () => {
  const folder = writeBuiltSite({ 'browser/a.txt': 'a', 'browser/b.txt': 'b' });
  const handler = createHandler(folder, {
    files: { cacheControl: (path) => (path === '/a.txt' ? 'public, max-age=60' : undefined) },
  });
  expect(headerOf(handler.answer(plainExchange('/a.txt')), 'Cache-Control')).toBe(
    'public, max-age=60',
  );
  expect(headerOf(handler.answer(plainExchange('/b.txt')), 'Cache-Control')).toBe(
    'public, max-age=0, must-revalidate',
  );
});

test('names that need escapes are found however the client escapes them', () => {
  const folder = writeBuiltSite({ 'browser/grüße & 100%.txt': 'x', 'browser/@a,b.txt': 'y' });
  const handler = createHandler(folder);
  for (const target of [
    '/gr%C3%BC%C3%9Fe%20&%20100%25.txt',
    '/gr%c3%bc%c3%9fe%20%26%20100%25.txt',
  ]) {
    expect(handler.answer(plainExchange(target))?.status, target).toBe(200);
  }
  expect(handler.answer(plainExchange('/@a,b.txt'))?.status).toBe(200);
  expect(handler.answer(plainExchange('/%40a%2Cb.txt'))?.status).toBe(200);
});

test('an unreadable prerendered-routes.json stops the start', () => {
  const folder = writeBuiltSite({ 'browser/a.txt': 'a', 'prerendered-routes.json': '{' });
  expect(() => createHandler(folder)).toThrow(
    expect.objectContaining({ code: 'NG_SSR_INDEX_FAILED' }),
  );
});

test.each([
  ['a control character', { headers: { 'X-Route': 'a\x01' } }],
  ['a line break', { headers: { 'X-Route': 'a\r\nb: c' } }],
  ['a character beyond Latin-1', { headers: { 'X-Route': '…' } }],
  ['a name that is none', { headers: { 'X Route': 'a' } }],
  ['a value that is no text', { headers: { 'X-Route': 7 } }],
  ['headers that are none', { headers: 'a' }],
  ['a status of the protocol itself', { status: 101 }],
  ['a status beyond all', { status: 999 }],
  ['a text for a status', { status: '200' }],
])('a prerendered route with %s stops the start, by its path', (_what, route) => {
  const folder = writeBuiltSite({
    'browser/a/index.html': prerendered('a'),
    'prerendered-routes.json': JSON.stringify({ routes: { '/a': route } }),
  });
  expect(() => createHandler(folder)).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_INDEX_FAILED',
      message: expect.stringContaining('/a'),
    }),
  );
});

test('headers of the connection that a prerendered route declares are not sent, held or large', async () => {
  const headers = { Connection: 'close', 'Transfer-Encoding': 'chunked', 'Content-Length': '1' };
  const folder = writeBuiltSite({
    'browser/a/index.html': prerendered('a'),
    'browser/b/index.html': prerendered('b'.repeat(2000)),
    'prerendered-routes.json': JSON.stringify({ routes: { '/a': { headers }, '/b': { headers } } }),
  });
  const handler = createHandler(folder, { files: { maxFileBytes: 1000 } });
  const held = handler.answer(plainExchange('/a'))!;
  const large = (await handler.largeFile(plainExchange('/b')))!;
  for (const answer of [held, large]) {
    expect(answer.headers).not.toContain('close');
    expect(answer.headers).not.toContain('chunked');
    expect(answer.headers).not.toContain('1');
  }
});

test.each([7, 'a\x01', 'a\nb', '…'])('cacheControl that returns %j stops the start', (value) => {
  const folder = writeBuiltSite({ 'browser/a.txt': 'a' });
  expect(() => createHandler(folder, { files: { cacheControl: () => value as string } })).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('files.cacheControl'),
    }),
  );
});

test.each(['gzip, identity;q=0', 'br, *;q=0'])(
  'RFC 9110 section 12.5.3: %j is a 200 before the encodings are made and after',
  async (accepted) => {
    const folder = writeBuiltSite({
      'browser/index.html': prerendered('p'.repeat(5000)),
      'browser/a.png': 'png',
    });
    const handler = createHandler(folder);
    const ask = (target: string) =>
      handler.answer(plainExchange(target, { 'accept-encoding': accepted }));
    const before = ask('/');
    expect([before?.status, headerOf(before, 'Vary')]).toEqual([200, 'Accept-Encoding']);
    expect(ask('/a.png')?.status).toBe(406);
    await handler.ready();
    expect([ask('/')?.status, headerOf(ask('/'), 'Content-Encoding')]).toEqual([
      200,
      accepted.slice(0, accepted.indexOf(',')),
    ]);
    expect(ask('/a.png')?.status).toBe(406);
  },
);

test.each([204, 205, 304])('a built file under a %i of middleware has no content', (status) => {
  const folder = writeBuiltSite({ 'browser/index.html': prerendered('p') });
  const answer = createHandler(folder).answer({ ...plainExchange('/'), status });
  expect([answer?.status, answer?.body]).toEqual([status, null]);
  expect(headerOf(answer, 'Content-Length')).toBe(status === 205 ? '0' : undefined);
});

test('a build with a base href is found below it and, where a proxy strips it, without', () => {
  const folder = writeBuiltSite({
    'browser/index.csr.html': '<!doctype html><base href="/shop/">',
    'browser/index.html': prerendered('home'),
    'browser/guide/index.html': prerendered('guide'),
    'browser/main-ABCDEFG2.js': 'x',
    'prerendered-routes.json': JSON.stringify({
      routes: { '/shop': {}, '/shop/guide': { headers: { 'X-Route': 'guide' } } },
    }),
  });
  const handler = createHandler(folder);
  for (const path of ['/shop', '/shop/', '/', '/shop/main-ABCDEFG2.js', '/main-ABCDEFG2.js']) {
    expect(handler.answer(plainExchange(path))?.status, path).toBe(200);
  }
  for (const path of ['/shop/guide', '/guide', '/shop/guide/']) {
    expect(headerOf(handler.answer(plainExchange(path)), 'X-Route'), path).toBe('guide');
  }
  expect(handler.answer(plainExchange('/shopping'))).toBeUndefined();
});

test('no file is read more often because a nonce is configured', () => {
  const nonce = { placeholder: 'bm9uY2UtaGVyZQ', policy: "script-src 'nonce-bm9uY2UtaGVyZQ'" };
  const folder = writeBuiltSite({
    'browser/index.html': prerendered('<script nonce="bm9uY2UtaGVyZQ"></script>'),
    'browser/plain/index.html': prerendered('without any'),
    'browser/text/index.html': prerendered('<p>bm9uY2UtaGVyZQ</p>'),
    'browser/main.js': 'main()',
    'browser/large.html': 'x'.repeat(5000),
  });
  const readsWith = (features: readonly Feature[], maxFileBytes: number): number => {
    const work = countWork(() =>
      createHandler(folder, { features, files: { maxFileBytes, encodings: [] } }),
    );
    return work['fs.readFileSync'] ?? 0;
  };
  expect(readsWith([withNonce(nonce)], 10_000)).toBe(readsWith([], 10_000));
  // What is not held has to be looked into.
  expect(readsWith([withNonce(nonce)], 1000)).toBe(readsWith([], 1000) + 1);
});

test('a file that is deleted while the folder is indexed is named in the error', () => {
  const folder = writeBuiltSite({ 'browser/a.txt': 'a', 'browser/zz.txt': 'zz' });
  const cacheControl = (): undefined => rmSync(`${folder}/zz.txt`, { force: true }) as undefined;
  expect(() => createHandler(folder, { files: { cacheControl } })).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_INDEX_FAILED',
      message: expect.stringContaining('/zz.txt'),
    }),
  );
});
