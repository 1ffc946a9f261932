import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { advance, turn, until, useClock } from './clock.ts';
import { html, numbered, type Seen, storedServer, type StoredServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };
/** Encodings are made for hits alone. */
const AS_RENDERED = { render: { encodings: [] } };
const LONG = 'a page that is worth its encoding, '.repeat(100);
const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const;

function encodingsOf(server: StoredServer): readonly string[] {
  return server.handler.cache.inspect().pages[0]?.encodings ?? [];
}

/** Asks until the encodings of the page are there. */
async function withEncodings(server: StoredServer, count = 3): Promise<StoredServer> {
  for (let i = 0; i < 3; i++) await server.get('/p');
  await until(() => encodingsOf(server).length === count);
  return server;
}

it('RFC 9110 section 12.5.3: encodings are made once a page is asked for again', async () => {
  const server = storedServer(() => html(LONG, SHARED), AS_RENDERED);
  const headers = { 'accept-encoding': 'gzip, br, zstd' };
  for (let i = 0; i < 2; i++) {
    const answer = await server.get('/p', headers);
    expect(answer.header('content-encoding')).toBeUndefined();
    expect(answer.header('vary')).toBe('Accept-Encoding');
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(encodingsOf(server)).toEqual([]);
  }
  await withEncodings(server);
  for (const encoding of ['gzip', 'br', 'zstd'] as const) {
    const answer = await server.get('/p', { 'accept-encoding': encoding });
    expect(answer.header('content-encoding')).toBe(encoding);
    expect(answer.header('content-length')).toBe(String(answer.body!.byteLength));
    expect(DECODE[encoding](answer.body!).toString()).toBe(`<!doctype html><p>${LONG}</p>`);
    expect(answer.header('vary')).toBe('Accept-Encoding');
    expect([answer.isHit, answer.header('age')]).toEqual([true, '0']);
  }
  expect(server.requests).toHaveLength(1);
});

it('RFC 9110 section 12.5.3: the best encoding that a client takes is sent, identity when it takes none', async () => {
  const server = await withEncodings(storedServer(() => html(LONG, SHARED)));
  for (const [accepted, encoding] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'zstd'],
    ['*;q=0', 406],
    ['deflate', undefined],
  ] as const) {
    const answer = await server.get(
      '/p',
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    if (encoding === 406) expect(answer.status).toBe(406);
    else expect(answer.header('content-encoding'), accepted).toBe(encoding);
  }
});

it.each(['gzip, identity;q=0', 'br, *;q=0', 'gzip;q=0, *, identity;q=0'])(
  'RFC 9110 section 12.5.3: %j is answered alike before and after the encodings are made',
  async (accepted) => {
    const server = storedServer(() => html(LONG, SHARED), AS_RENDERED);
    const headers = { 'accept-encoding': accepted };
    for (let i = 0; i < 3; i++) {
      const answer = await server.get('/p', headers);
      expect([answer.status, answer.header('content-encoding')]).toEqual([200, undefined]);
      expect(answer.header('vary')).toBe('Accept-Encoding');
    }
    await withEncodings(server);
    const answer = await server.get('/p', headers);
    expect(answer.status).toBe(200);
    expect(answer.header('content-encoding')).toBeDefined();
  },
);

it('RFC 9110 section 12.5.3: what has no encodings is always a 406 without identity', async () => {
  const server = storedServer(
    () => new Response(LONG, { headers: { ...SHARED, 'content-type': 'image/png' } }),
  );
  for (let i = 0; i < 4; i++) {
    const answer = await server.get('/p', { 'accept-encoding': 'gzip, identity;q=0' });
    expect(answer.status).toBe(406);
  }
});

it('RFC 9110 section 8.8.3.3: each encoding has a tag of its own, and 304s by it', async () => {
  const server = await withEncodings(storedServer(() => html(LONG, SHARED)));
  const tags = new Map<string, string>();
  for (const encoding of ['identity', 'gzip', 'br', 'zstd', 'deflate']) {
    const answer = await server.get('/p', { 'accept-encoding': encoding });
    tags.set(encoding, answer.header('etag')!);
    const headers = { 'accept-encoding': encoding, 'if-none-match': answer.header('etag')! };
    const same = await server.get('/p', headers);
    expect([same.status, same.header('etag'), same.header('vary')]).toEqual([
      304,
      answer.header('etag'),
      'Accept-Encoding',
    ]);
  }
  // Compression in front of this server may code what goes out for `deflate`.
  expect(tags.get('deflate')).toBe(`W/${tags.get('identity')}`);
  tags.delete('deflate');
  expect(new Set(tags.values()).size).toBe(4);
  for (const tag of tags.values()) expect(tag).toMatch(/^"[^"]+"$/);
});

it("RFC 9110 section 8.8.3.3: a page's own tag stays, weak where its content is encoded", async () => {
  for (const [own, strong, weak] of [
    ['"v1"', '"v1"', 'W/"v1"'],
    ['W/"v1"', 'W/"v1"', 'W/"v1"'],
  ] as const) {
    const server = await withEncodings(storedServer(() => html(LONG, { ...SHARED, etag: own })));
    expect((await server.get('/p')).header('etag')).toBe(strong);
    // Nobody codes the content for `deflate` here; who does so further on changes the tag.
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const answer = await server.get('/p', { 'accept-encoding': encoding });
      expect(answer.header('etag')).toBe(encoding === 'deflate' ? strong : weak);
      const headers = { 'accept-encoding': encoding, 'if-none-match': '"v1"' };
      expect((await server.get('/p', headers)).status).toBe(304);
    }
  }
});

it.each([
  ['a 404', 404, {}, false],
  ['a no-store page', 200, { 'cache-control': 'no-store' }, false],
  [
    'a no-store page that is stored here',
    200,
    { 'cache-control': 'no-store', 'cdn-cache-control': 'max-age=60' },
    true,
  ],
])(
  'RFC 9110 section 8.8.3.3: the own tag of %s is weak where it is encoded',
  async (_name, status, headers, isStored) => {
    const server = storedServer(() => html(LONG, { ...headers, etag: '"v1"' }, status));
    if (isStored) await withEncodings(server);
    for (const encoding of ['gzip', 'br', 'zstd']) {
      const answer = await server.get('/p', { 'accept-encoding': encoding });
      expect([answer.status, answer.header('content-encoding')]).toEqual([status, encoding]);
      expect(answer.header('etag')).toBe('W/"v1"');
    }
    const answer = await server.get('/p', { 'accept-encoding': 'identity' });
    expect(answer.header('etag')).toBe('"v1"');
  },
);

it('RFC 9110 section 14.2: a part of an encoding is a part of its bytes', async () => {
  const server = await withEncodings(storedServer(() => html(LONG, SHARED)));
  const whole = await server.get('/p', { 'accept-encoding': 'br' });
  const part = await server.get('/p', { 'accept-encoding': 'br', range: 'bytes=3-9' });
  expect([part.status, part.header('content-encoding')]).toEqual([206, 'br']);
  expect(Buffer.compare(part.body!, whole.body!.subarray(3, 10))).toBe(0);
  expect(part.header('content-range')).toBe(`bytes 3-9/${whole.body!.byteLength}`);
});

it('RFC 9110 section 9.3.2: HEAD of an encoding has its headers', async () => {
  const server = await withEncodings(storedServer(() => html(LONG, SHARED)));
  const get = await server.get('/p', { 'accept-encoding': 'br' });
  const head = await server.get('/p', { 'accept-encoding': 'br' }, 'HEAD');
  expect(head.headers).toEqual(get.headers);
  expect(head.body).toBeNull();
});

it.each([
  ['an image', 'image/png', LONG],
  ['no type', undefined, LONG],
  ['an empty page', 'text/html', ''],
])('RFC 9110 section 8.4: no encoding is made of %s', async (_name, type, text) => {
  const server = storedServer(() => {
    const headers = new Headers({ ...SHARED, ...(type && { 'content-type': type }) });
    return new Response(Buffer.from(text), { headers });
  });
  for (let i = 0; i < 5; i++) await server.get('/p', { 'accept-encoding': 'br' });
  for (let i = 0; i < 20; i++) await turn();
  expect(encodingsOf(server)).toEqual([]);
  const answer = await server.get('/p', { 'accept-encoding': 'br' });
  expect([answer.isHit, answer.text, answer.header('vary')]).toEqual([true, text, undefined]);
});

it('RFC 9110 section 8.4: an encoding that saves nothing is not kept', async () => {
  const noise = randomBytes(3000);
  const server = storedServer(
    () => new Response(noise, { headers: { ...SHARED, 'content-type': 'text/plain' } }),
  );
  for (let i = 0; i < 5; i++) await server.get('/p', { 'accept-encoding': 'br' });
  for (let i = 0; i < 200; i++) await turn();
  expect(encodingsOf(server)).toEqual([]);
  expect((await server.get('/p', { 'accept-encoding': 'br' })).header('content-encoding')).toBe(
    undefined,
  );
});

it('RFC 9110 section 12.5.3: with encodings: [] a page is sent as it is', async () => {
  const server = storedServer(() => html(LONG, SHARED), { files: { encodings: [] } });
  let answer: Seen | undefined;
  for (let i = 0; i < 5; i++) answer = await server.get('/p', { 'accept-encoding': 'br' });
  expect([answer!.header('content-encoding'), answer!.header('vary')]).toEqual([
    undefined,
    undefined,
  ]);
});

it('RFC 9110 section 12.5.3: a page rendered again with the same content keeps its encodings', async () => {
  const server = await withEncodings(storedServer(() => html(LONG, SHARED)));
  advance(61);
  const anew = await server.get('/p', { 'accept-encoding': 'br' });
  expect([anew.cache, anew.header('content-encoding')]).toEqual(['fwd=stale; stored', 'br']);
});

it('RFC 9110 section 12.5.3: the same content of another type does not keep encodings', async () => {
  const server = storedServer(
    (_request, count) =>
      new Response(LONG, {
        headers: { ...SHARED, 'content-type': count === 1 ? 'text/plain' : 'image/png' },
      }),
  );
  await withEncodings(server);
  advance(61);
  await server.get('/p');
  const answer = await server.get('/p', { 'accept-encoding': 'br' });
  expect([answer.isHit, answer.header('content-encoding'), answer.text]).toEqual([
    true,
    undefined,
    LONG,
  ]);
});

it('RFC 9110 section 12.5.3: a page rendered again with other content gets encodings of its own', async () => {
  const server = await withEncodings(
    storedServer((_request, count) => html(`${count} ${LONG}`, SHARED), AS_RENDERED),
  );
  advance(61);
  const anew = await server.get('/p', { 'accept-encoding': 'br' });
  expect(anew.header('content-encoding')).toBeUndefined();
  await withEncodings(server);
  const encoded = await server.get('/p', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(encoded.body!).toString()).toContain('<p>2 ');
});

it('RFC 9110 section 12.5.3: encodings in flight when a page is rendered again are finished', async () => {
  const server = storedServer(() => html(LONG, SHARED));
  for (let i = 0; i < 3; i++) await server.get('/p');
  // They have begun, and the page is replaced by the same again.
  advance(61);
  await server.get('/p');
  await withEncodings(server);
});

it('RFC 9110 section 12.5.3: variants have encodings of their own', async () => {
  const server = storedServer((request) =>
    html(`${request.headers.get('x-kind')} ${LONG}`, { ...SHARED, vary: 'x-kind' }),
  );
  for (const kind of ['a', 'b']) {
    const headers = { 'x-kind': kind, 'accept-encoding': 'gzip' };
    await until(
      async () => (await server.get('/p', headers)).header('content-encoding') === 'gzip',
    );
    const encoded = await server.get('/p', headers);
    expect(gunzipSync(encoded.body!).toString()).toContain(`<p>${kind} `);
    expect(encoded.header('vary')).toBe('x-kind, Accept-Encoding');
  }
});

it('RFC 9110 section 8.3: a page is answered with the type it was rendered with', async () => {
  const server = numbered({ ...SHARED, 'content-type': 'application/xhtml+xml' });
  await server.get('/p');
  expect((await server.get('/p')).header('content-type')).toBe('application/xhtml+xml');
});
