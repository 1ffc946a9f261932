import { expect, it } from 'vitest';
import { advance, useClock } from './clock.ts';
import { html, numbered, type StoredServer, storedServer } from './stored-server.ts';

useClock();

const MODIFIED = 'Fri, 20 Nov 2026 11:00:00 GMT';
const HEADERS = {
  'cache-control': 's-maxage=60',
  'last-modified': MODIFIED,
  'content-location': '/p.html',
  expires: 'Fri, 20 Nov 2026 12:00:30 GMT',
  vary: 'x-kind',
  'x-frame-options': 'DENY',
};

async function stored(headers: Readonly<Record<string, string>> = HEADERS): Promise<StoredServer> {
  const server = numbered(headers);
  await server.get('/p');
  advance(5);
  return server;
}

it('RFC 9110 section 15.4.5: a 304 has the headers a stored page would have', async () => {
  const server = await stored();
  const page = await server.get('/p');
  const etag = page.header('etag')!;
  const answer = await server.get('/p', { 'if-none-match': etag });
  expect([answer.status, answer.body]).toEqual([304, null]);
  const names = ['cache-control', 'content-location', 'etag', 'expires', 'vary', 'x-frame-options'];
  for (const name of names) expect(answer.header(name), name).toBe(page.header(name));
  expect([answer.header('age'), answer.cache]).toEqual(['5', 'hit; ttl=55']);
  for (const name of ['content-length', 'content-type', 'last-modified']) {
    expect(answer.header(name), name).toBeUndefined();
  }
});

it('RFC 9111 section 4.3.2: preconditions are evaluated on the stored page', async () => {
  const server = await stored();
  const etag = (await server.get('/p')).header('etag')!;
  const later = 'Fri, 20 Nov 2026 11:00:01 GMT';
  const earlier = 'Fri, 20 Nov 2026 10:59:59 GMT';
  for (const [headers, status] of [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"x", W/${etag.replace(/^W\//, '')}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': later }, 200],
    [{ 'if-modified-since': MODIFIED }, 304],
    [{ 'if-modified-since': later }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-modified-since': 'junk' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-unmodified-since': earlier }, 412],
    [{ 'if-unmodified-since': MODIFIED }, 200],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await server.get('/p', headers, method);
      expect(answer.status, `${method} ${JSON.stringify(headers)}`).toBe(status);
    }
  }
  expect(server.requests).toHaveLength(1);
});

it('RFC 9111 section 4.3.2: preconditions do not reach the render, and hold for its answer', async () => {
  const server = storedServer((request) => {
    const names = ['if-none-match', 'if-modified-since', 'if-match', 'if-range', 'range'];
    return html(names.filter((name) => request.headers.has(name)).join(), HEADERS);
  });
  const headers = { 'if-none-match': '*', 'if-range': '"a"', range: 'bytes=0-1' };
  const answer = await server.get('/p', headers);
  expect([answer.status, answer.cache]).toEqual([304, 'fwd=uri-miss; stored']);
  expect((await server.get('/p')).text).toBe('<!doctype html><p></p>');
});

it('RFC 9110 section 8.8.3: a tag stays the same as long as the content does', async () => {
  const server = storedServer((_request, count) => html(`${count < 3}`, HEADERS));
  const tags: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    tags.push((await server.get('/p')).header('etag'));
    advance(61);
  }
  expect(tags[0]).toBe(tags[1]);
  expect(tags[0]).not.toBe(tags[2]);
});

it('RFC 9110 section 13.1: preconditions hold for a 200 only', async () => {
  for (const status of [404, 410]) {
    const server = storedServer(() => html('gone', { ...HEADERS, etag: '"a"' }, status));
    await server.get('/p');
    const answer = await server.get('/p', { 'if-none-match': '"a"', range: 'bytes=0-1' });
    expect([answer.isHit, answer.status]).toEqual([true, status]);
    expect(answer.text).toContain('gone');
  }
});

it('RFC 9110 section 8.8: a page that no cache may store has no tag', async () => {
  const server = await stored({ 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' });
  const hit = await server.get('/p');
  expect([hit.isHit, hit.header('etag')]).toEqual([true, undefined]);
  expect((await server.get('/p', { 'if-none-match': '*' })).status).toBe(200);
});

it('RFC 9110 section 14: a part of a stored page is sent to clients that accept no encoding', async () => {
  const server = await stored();
  const whole = await server.get('/p');
  const part = await server.get('/p', { range: 'bytes=2-8' });
  expect([part.status, part.text]).toEqual([206, 'doctype']);
  expect(part.header('content-range')).toBe(`bytes 2-8/${whole.body!.byteLength}`);
  expect(part.header('content-length')).toBe('7');
  expect([part.header('age'), part.cache]).toEqual(['5', 'hit; ttl=55']);
  expect((await server.get('/p', { range: 'bytes=9999-' })).status).toBe(416);
  expect((await server.get('/p', { range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200);
  const etag = whole.header('etag')!;
  expect((await server.get('/p', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  // Compression in front of this server may still encode it.
  const encoded = await server.get('/p', { range: 'bytes=0-1', 'accept-encoding': 'deflate' });
  expect(encoded.status).toBe(200);
});

it('RFC 9110 section 14: a cold page is rendered whole, whatever part is asked for', async () => {
  const server = numbered(HEADERS);
  const part = await server.get('/p', { range: 'bytes=0-1' });
  expect([part.status, part.text]).toEqual([206, '<!']);
  expect((await server.get('/p')).text).toBe('<!doctype html><p>render 1</p>');
});
