import { expect, test } from 'vitest';
import { type Feature, SsrError, type SsrOptions, withHeaders } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { html, storedServer, type StoredServer } from '../../pages/stored-server.ts';

const SECURITY = { 'X-Frame-Options': 'DENY', 'X-Content-Type-Options': 'nosniff' };

function server(feature: Feature, options: Partial<SsrOptions> = {}): StoredServer {
  const folder = writeBuiltSite({
    'browser/index.csr.html': '<html><head></head></html>',
    'browser/index.html': prerendered('home'),
    'browser/styles.css': 'p {}',
  });
  return storedServer(
    ({ url }) => {
      if (url.endsWith('/broken')) throw new Error('broken');
      if (url.endsWith('/none')) return new Response('none', { status: 404 });
      if (url.endsWith('/own')) return html('own', { 'x-frame-options': 'SAMEORIGIN' });
      return html('page', { 'cache-control': 's-maxage=60' });
    },
    { features: [feature], ...options, files: { folder } },
  );
}

test('renders, hits, files, 304s, redirects and errors have the headers', async () => {
  const { get } = server(withHeaders(SECURITY), { onError: () => undefined });
  const paths = ['/page', '/page', '/', '/styles.css', '/broken', '/none', '/%zz'];
  const statuses: number[] = [];
  for (const path of paths) {
    const { header, status } = await get(path);
    statuses.push(status);
    expect(header('x-frame-options'), path).toBe('DENY');
    expect(header('x-content-type-options'), path).toBe('nosniff');
  }
  expect(statuses).toEqual([200, 200, 200, 200, 500, 404, 400]);
  const tag = (await get('/page')).header('etag')!;
  const unchanged = await get('/page', { 'if-none-match': tag });
  expect([unchanged.status, unchanged.header('x-frame-options')]).toEqual([304, 'DENY']);
  const refused = await get('/page', {}, 'POST');
  expect([refused.status, refused.header('x-frame-options')]).toEqual([405, 'DENY']);
  const evil = await get('/page', { host: 'evil.example' });
  expect([evil.status, evil.header('x-frame-options')]).toEqual([400, 'DENY']);
});

test('the header of a page stays, in any case, and is not sent twice', async () => {
  const { get } = server(withHeaders(SECURITY));
  const { headers } = await get('/own');
  const names = headers.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase());
  expect(names.filter((name) => name === 'x-frame-options')).toHaveLength(1);
  expect(headers[names.indexOf('x-frame-options') * 2 + 1]).toBe('SAMEORIGIN');
  expect(names).toContain('x-content-type-options');
});

test('a function chooses by the path, in any spelling and without the query', async () => {
  const embedded = { 'X-Frame-Options': 'SAMEORIGIN' };
  const asked: string[] = [];
  const { get } = server(
    withHeaders((path) => {
      asked.push(path);
      if (path === '/none') return undefined;
      return path.startsWith('/embed/') ? embedded : SECURITY;
    }),
  );
  expect((await get('/embed/map?a=/b')).header('x-frame-options')).toBe('SAMEORIGIN');
  expect((await get('/%65mbed/map')).header('x-frame-options')).toBe('SAMEORIGIN');
  expect((await get('/page')).header('x-frame-options')).toBe('DENY');
  expect((await get('/none')).header('x-frame-options')).toBeUndefined();
  expect(asked).toEqual(['/embed/map', '/embed/map', '/page', '/none']);
});

test('hits share the list of headers, which a socket knows again', async () => {
  const { get } = server(withHeaders(SECURITY));
  for (const path of ['/', '/styles.css']) {
    const [first, second] = [await get(path), await get(path)];
    expect(second.headers).toBe(first.headers);
  }
});

test.each([
  ['Cache-Control', 'no-store'],
  ['CDN-Cache-Control', 'max-age=60'],
  ['ETag', '"a"'],
  ['vary', 'Origin'],
  ['Set-Cookie', 'a=b'],
  ['Content-Length', '1'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'close'],
  ['Proxy-Connection', 'close'],
  ['HTTP2-Settings', 'a'],
  ['Surrogate-Key', 'a'],
  ['X Frame', 'a'],
  ['', 'a'],
  ['X-Frame-Options', 'a\r\nSet-Cookie: b=c'],
  ['X-Frame-Options', 'ä→'],
  ['X-Frame-Options', 1],
  ['X-Frame-Options', null],
])('refuses %j: %j', (name, value) => {
  const headers = { [name]: value } as Record<string, string>;
  const refuse = () => withHeaders(headers);
  expect(refuse).toThrow(SsrError);
  expect(refuse).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('withHeaders['),
    }),
  );
});

test('refuses a header that two keys name: it would be sent twice', () => {
  expect(() => withHeaders({ 'X-Frame-Options': 'DENY', 'x-frame-options': 'SAMEORIGIN' })).toThrow(
    /withHeaders\["x-frame-options"\]: the key must be a header that no other key names/,
  );
});

test.each([null, undefined, 'X-A: b', ['X-A', 'b'], new Headers({ 'x-a': 'b' })])(
  'refuses %j in place of headers',
  (headers) => {
    expect(() => withHeaders(headers as never)).toThrow(/withHeaders is .*; allowed: an object/);
  },
);

test('a function that throws or returns what cannot be sent costs only the headers, and is reported', async () => {
  const errors: unknown[] = [];
  const results: Record<string, () => never> = {
    '/throws': () => {
      throw new Error('no headers today');
    },
    '/cookie': () => ({ 'Set-Cookie': 'a=b' }) as never,
    '/promise': () => Promise.resolve(SECURITY) as never,
    '/text': () => 'X-A: b' as never,
  };
  const { get } = server(
    withHeaders((path) => results[path]?.()),
    { onError: (error) => errors.push(error) },
  );
  for (const path of Object.keys(results)) {
    const { status, header } = await get(path);
    expect(status, path).toBe(200);
    expect(header('set-cookie'), path).toBeUndefined();
  }
  expect(errors).toHaveLength(4);
  expect(errors).toMatchObject([
    { code: 'NG_SSR_FEATURE_FAILED', message: expect.stringContaining('feature headers') },
    {
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('withHeaders["Set-Cookie"]'),
    },
    {
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('the result of withHeaders'),
    },
    {
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('the result of withHeaders'),
    },
  ]);
});
