import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { SsrError, SsrOptions } from '@ng-ssr/core';
import { type Answer, type StreamedAnswer, SsrHandler } from '@ng-ssr/core/adapter';
import { makePack } from '@ng-ssr/core/pack';
import { headerOf } from '../header-of.ts';
import { writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

const MIB = 1024 * 1024;
const SCRIPT = 'export const words = "one two three";\n'.repeat(50_000);
const BR = { 'accept-encoding': 'br' };

async function start(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<SsrOptions> = {},
) {
  const browserFolder = writeBuiltSite(files);
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine: () => null,
    allowedHosts: ['localhost'],
    onError: (error) => errors.push(error),
    ...options,
    files: { folder: browserFolder, ...options.files },
  });
  await handler.ready();
  const ask = (path: string, headers = {}): Promise<Answer | StreamedAnswer> =>
    handler.largeFile(plainExchange(path, headers))!;
  return { browserFolder, errors, handler, ask };
}

function bodyOf(answer: Answer | StreamedAnswer): Uint8Array {
  expect(answer).toHaveProperty('body');
  return (answer as Answer).body!;
}

test('text of more than maxFileBytes comes encoded from memory, other files do not', async () => {
  const { ask, errors } = await start({
    'browser/main.js': SCRIPT,
    'browser/film.mp4': 'f'.repeat(2 * MIB),
  });
  const encoded = await ask('/main.js', BR);
  expect(headerOf(encoded, 'content-encoding')).toBe('br');
  expect(brotliDecompressSync(bodyOf(encoded)).toString()).toBe(SCRIPT);
  expect(await ask('/main.js')).toHaveProperty('content');
  expect(await ask('/film.mp4', BR)).toHaveProperty('content');
  expect(errors).toEqual([]);
});

test('source maps are sent as they are, held or not, and no pack has encodings of them', async () => {
  const files = {
    'browser/main.js.map': '{"version":3}'.repeat(90_000),
    'browser/a.js.map': '{}'.repeat(900),
  };
  const { ask, browserFolder, handler } = await start(files);
  expect(await ask('/main.js.map', BR)).toHaveProperty('content');
  const held = handler.answer(plainExchange('/a.js.map', BR))!;
  expect(Buffer.from(bodyOf(held)).toString()).toBe(files['browser/a.js.map']);
  expect(headerOf(held, 'content-encoding')).toBeUndefined();
  const { manifest } = await makePack(
    browserFolder,
    [],
    () => undefined,
    () => undefined,
  );
  expect(manifest.files.map(({ path, encodings }) => ({ path, encodings }))).toEqual([
    { path: '/a.js.map', encodings: {} },
    { path: '/main.js.map', encodings: {} },
  ]);
});

test('encodings of files that are not held are within files.maxBytes, and those without any are reported once', async () => {
  const { ask, errors } = await start({ 'browser/main.js': SCRIPT }, { files: { maxBytes: 10 } });
  expect(await ask('/main.js', BR)).toHaveProperty('content');
  expect(errors).toMatchObject([{ code: 'NG_SSR_ENCODING_FAILED' }]);
  expect(errors[0]!.message).toContain(`/main.js (${SCRIPT.length} bytes)`);
  expect(errors[0]!.message).toContain('files.maxBytes');
});

test('held files whose encodings find no room are reported as well', async () => {
  const text = 'some text that repeats itself, '.repeat(3000);
  const { errors, handler } = await start(
    { 'browser/a.txt': text },
    { files: { maxBytes: 2 * text.length } },
  );
  expect(errors).toEqual([]);
  expect(headerOf(handler.answer(plainExchange('/a.txt', BR))!, 'content-encoding')).toBe('br');
  const full = await start({ 'browser/a.txt': text }, { files: { maxBytes: text.length } });
  expect(full.errors).toHaveLength(1);
  expect(full.errors[0]!.message).toContain(`/a.txt (${text.length} bytes)`);
});

test('text that is too large to be encoded is reported once, with its size and the option', async () => {
  const text = SCRIPT.repeat(5);
  expect(text.length).toBeGreaterThan(8 * MIB);
  const files = {
    'browser/huge.json': text,
    'browser/large.json': text,
    'browser/film.mp4': text,
    'browser/a.txt': 'small',
  };
  const { ask, errors } = await start(files, { files: { maxBytes: 3 * MIB } });
  expect(errors).toHaveLength(1);
  const { code, message } = errors[0]!;
  expect(code).toBe('NG_SSR_ENCODING_FAILED');
  for (const name of ['huge', 'large']) {
    expect(message).toContain(`/${name}.json (${text.length} bytes)`);
  }
  expect(message).not.toMatch(/film|a\.txt/);
  expect(message).toContain('files.maxFileBytes');
  const answer = await ask('/huge.json', BR);
  expect(answer).toHaveProperty('content');
  expect(headerOf(answer, 'vary')).toBeUndefined();
  const silent = await start({ 'browser/huge.json': text }, { files: { encodings: [] } });
  expect(silent.errors).toEqual([]);
});

test('the encoded file that the build has left is taken, where it decodes to the same', async () => {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const own = brotliCompressSync(SCRIPT, quality);
  const { ask, errors } = await start({
    'browser/main.js': SCRIPT,
    'browser/main.js.br': own,
    'browser/other.js': `${SCRIPT}//`,
    'browser/other.js.br': own,
  });
  expect(Buffer.compare(bodyOf(await ask('/main.js', BR)), own)).toBe(0);
  expect(brotliDecompressSync(bodyOf(await ask('/other.js', BR))).toString()).toBe(`${SCRIPT}//`);
  expect(errors).toHaveLength(1);
  expect(errors[0]!.message).toContain('other.js.br is not used');
});

test('a page has the status and headers of its route in its encodings too', async () => {
  const { ask } = await start({
    'browser/gone/index.html': SCRIPT,
    'browser/secret/index.html': SCRIPT,
    'prerendered-routes.json': JSON.stringify({
      routes: {
        '/gone': { status: 410, headers: { 'X-Route': 'gone', Vary: 'Cookie' } },
        '/secret': { headers: { 'Cache-Control': 'no-store' } },
      },
    }),
  });
  const gone = await ask('/gone', { ...BR, range: 'bytes=0-9', 'if-none-match': '*' });
  expect([gone.status, headerOf(gone, 'x-route'), headerOf(gone, 'vary')]).toEqual([
    410,
    'gone',
    'Cookie, Accept-Encoding',
  ]);
  expect(brotliDecompressSync(bodyOf(gone)).toString()).toBe(SCRIPT);
  const secret = await ask('/secret', { ...BR, 'if-none-match': '"x"' });
  expect([headerOf(secret, 'etag'), headerOf(secret, 'last-modified')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('a file that has changed is never answered with encodings of before, whatever is taken', async () => {
  const { ask, browserFolder } = await start({ 'browser/main.js': SCRIPT });
  const path = join(browserFolder, 'main.js');
  const before = await ask('/main.js', { 'accept-encoding': 'gzip' });
  expect(gunzipSync(bodyOf(before)).toString()).toBe(SCRIPT);
  const later = new Date(Date.now() + 5000);
  for (const [content, time] of [
    [SCRIPT.replace('one', 'two'), later],
    [`${SCRIPT}//`, later],
    ['', later],
  ] as const) {
    writeFileSync(path, content);
    utimesSync(path, time, time);
    for (const encoding of ['br', 'zstd', 'gzip', '*', 'identity;q=0, br']) {
      const answer = await ask('/main.js', { 'accept-encoding': encoding });
      expect(answer).toHaveProperty('content');
      expect(headerOf(answer, 'content-length')).toBe(String(content.length));
      expect(headerOf(answer, 'content-encoding')).toBeUndefined();
      expect(headerOf(answer, 'etag')).toMatch(/^W\//);
    }
  }
  rmSync(path);
  expect((await ask('/main.js', BR)).status).toBe(404);
});
