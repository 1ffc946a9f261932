import { expect, it } from 'vitest';
import { html, numbered, storedServer } from '../pages/stored-server.ts';

const SHARED = { 'cache-control': 'public, s-maxage=60' };

const controls = [...Array.from({ length: 0x20 }, (_, code) => code), 0x7f].filter(
  (code) => ![0x00, 0x09, 0x0a, 0x0d].includes(code),
);

it.each(controls)(
  'RFC 9110 section 5.5: a page with byte %i in a header is a reported 500, and not stored',
  async (code) => {
    let isBroken = true;
    const server = storedServer(() =>
      html('page', { ...SHARED, 'x-name': isBroken ? `a${String.fromCharCode(code)}b` : 'ab' }),
    );
    const broken = await server.get('/p');
    expect([broken.status, broken.header('x-name'), broken.header('cache-control')]).toEqual([
      500,
      undefined,
      'no-store',
    ]);
    expect(server.errors).toMatchObject([{ code: 'NG_SSR_RESPONSE_INVALID' }]);
    expect(server.errors[0]!.message).toContain('x-name');
    expect(server.handler.cache.inspect().count).toBe(0);
    isBroken = false;
    expect((await server.get('/p')).status).toBe(200);
    expect((await server.get('/p')).isHit).toBe(true);
  },
);

it('RFC 9110 section 5.5: tabs and obs-text are sent as they are', async () => {
  const server = storedServer(() => html('page', { ...SHARED, 'x-name': 'a\tb \x80\xff' }));
  for (const isHit of [false, true]) {
    const answer = await server.get('/p');
    expect([answer.status, answer.isHit, answer.header('x-name')]).toEqual([
      200,
      isHit,
      'a\tb \x80\xff',
    ]);
  }
});

it('a stored page stays when its refresh has a header that cannot be sent', async () => {
  const server = storedServer((_request, count) =>
    html(`render ${count}`, {
      'cache-control': 'max-age=0, stale-while-revalidate=60',
      'x-name': count === 1 ? 'good' : '\x01',
    }),
  );
  await server.get('/p');
  for (let i = 0; i < 3; i++) {
    const answer = await server.get('/p');
    expect([answer.status, answer.text, answer.header('x-name')]).toEqual([
      200,
      '<!doctype html><p>render 1</p>',
      'good',
    ]);
  }
});

it.each([{}, { cache: false as const }])(
  'RFC 9110 section 7.6.1: headers of the connection are neither sent nor stored: %j',
  async (options) => {
    const server = numbered(
      {
        ...SHARED,
        connection: 'close, X-Hop , keep-alive',
        'x-hop': '1',
        'keep-alive': 'timeout=5',
        'proxy-connection': 'keep-alive',
        'proxy-authenticate': 'Basic',
        te: 'trailers',
        trailer: 'x-sum',
        'transfer-encoding': 'chunked',
        upgrade: 'h2c',
        'x-end': '1',
      },
      options,
    );
    for (let i = 0; i < 2; i++) {
      const { headers, header } = await server.get('/p');
      expect(header('x-end')).toBe('1');
      for (const name of ['connection', 'x-hop', 'keep-alive', 'proxy-connection', 'te']) {
        expect(headers).not.toContain(name);
      }
      for (const name of ['proxy-authenticate', 'trailer', 'transfer-encoding', 'upgrade']) {
        expect(headers).not.toContain(name);
      }
    }
  },
);

it.each([0, 99, 101, 199, 600, 999, 200.5, Number.NaN])(
  'RFC 9110 section 15: status %d of an engine is a reported 500',
  async (status) => {
    const server = storedServer(() => {
      const page = html('page', SHARED);
      Object.defineProperty(page, 'status', { value: status });
      return page;
    });
    expect((await server.get('/p')).status).toBe(500);
    expect(server.errors).toMatchObject([{ code: 'NG_SSR_RESPONSE_INVALID' }]);
  },
);

it('Response.error() of an engine is a reported 500', async () => {
  const server = storedServer(() => Response.error());
  expect((await server.get('/p')).status).toBe(500);
  expect(server.errors).toMatchObject([{ code: 'NG_SSR_RESPONSE_INVALID' }]);
});

it.each([
  [204, undefined],
  [205, '0'],
  [304, undefined],
])('RFC 9110 section 6.4.1: a %d has no content', async (status, length) => {
  const server = storedServer(() => {
    const page = html('page', { 'cache-control': 'no-store' });
    Object.defineProperty(page, 'status', { value: status });
    return page;
  });
  const answer = await server.get('/p');
  expect([answer.status, answer.body, answer.header('content-length')]).toEqual([
    status,
    null,
    length,
  ]);
});

it('RFC 9110 section 8.6: Content-Length is that of the content, whatever the engine sends', async () => {
  const server = storedServer(() => html('page', { ...SHARED, 'content-length': '3' }));
  for (let i = 0; i < 2; i++) {
    const answer = await server.get('/p');
    expect(answer.header('content-length')).toBe(String(answer.body!.byteLength));
  }
});

it('rendered, stored and refused content is of one type', async () => {
  const server = storedServer((request) => {
    if (request.url.endsWith('/boom')) throw new Error('boom');
    return html('page', SHARED);
  });
  for (const target of ['/p', '/p', '/boom', '/%ff']) {
    expect(Buffer.isBuffer((await server.get(target)).body), target).toBe(true);
  }
});
