import { describe, expect, it, test } from 'vitest';
import { advance, turn, until, useClock } from './clock.ts';
import { html, type Page, type Seen, storedServer, type StoredServer } from './stored-server.ts';

useClock();

const SWR = 's-maxage=10, stale-while-revalidate=60, stale-if-error=60';
const COMMON = { 'cache-control': SWR };

/** Requests that make this page something else than what everybody gets. */
const TRIGGERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'is logged in': { cookie: 'user=ann' },
  'has a token': { authorization: 'Bearer 1' },
  'wants what there is not': { accept: 'image/png' },
  'has a header that is refused': { 'x-level': 'much' },
  'comes too often': { 'user-agent': 'greedy' },
  'is believed to be elsewhere': { 'x-forwarded-for': '10.0.0.1' },
  'has a word of its own for proxies': { via: '1.1 closed' },
};

/** As an application with sessions, content negotiation, validation and a limit of rates. */
const page: Page = ({ headers }, count) => {
  const text = `render ${count}`;
  if (headers.has('cookie')) return html(`${text} for ann`, { 'cache-control': 'private' });
  if (headers.has('authorization')) return html('ann', { ...COMMON, 'set-cookie': 'token=1' });
  if (headers.get('accept') === 'image/png') return html('not acceptable', {}, 406);
  if (headers.has('x-level')) return html('bad request', COMMON, 400);
  if (headers.get('user-agent') === 'greedy') return html('too many', COMMON, 429);
  if (headers.has('x-forwarded-for')) return html('not here', { 'cache-control': 'no-store' });
  if (headers.has('via')) return html('closed', {}, 403);
  return html(text, COMMON);
};

async function refreshed(server: StoredServer, headers: Record<string, string>): Promise<Seen> {
  const renders = server.requests.length;
  const stale = await server.get('/p', headers);
  expect(stale).toMatchObject({ isHit: true, status: 200 });
  await until(() => server.requests.length > renders);
  for (let i = 0; i < 5; i++) await turn();
  return server.get('/p');
}

describe('a refresh does not depend on the request that started it', () => {
  for (const [label, headers] of Object.entries(TRIGGERS)) {
    test(`whoever ${label}`, async () => {
      const server = storedServer(page, { trustProxyHeaders: ['x-forwarded-for'] });
      await server.get('/p');
      advance(11);
      const next = await refreshed(server, headers);
      expect([next.text, next.cache]).toEqual(['<!doctype html><p>render 2</p>', 'hit; ttl=10']);
      expect(server.errors).toEqual([]);
    });
  }

  it('has the headers that the page varies by, the path, the query and the host', async () => {
    const server = storedServer(
      ({ headers, url }, count) =>
        html(`${new URL(url).pathname}${new URL(url).search} ${headers.get('accept-language')}`, {
          ...COMMON,
          'x-render': String(count),
          vary: 'Accept-Language, X-Shop, Accept-Encoding',
        }),
      { cache: { languages: ['en', 'de'] } },
    );
    const sent = {
      'accept-language': 'de-AT, en;q=0.5',
      'x-shop': 'graz',
      'x-other': '1',
      cookie: 'user=ann',
      host: 'other.example',
    };
    const target = '/caf%c3%a9?page=2&utm_source=x';
    const first = await server.get(target, sent);
    advance(11);
    await server.get(target, { ...sent, 'accept-language': 'de' });
    await until(() => server.requests.length === 2);
    for (let i = 0; i < 5; i++) await turn();
    const next = await server.get(target, sent);
    expect([next.text, next.cache, next.header('x-render')]).toEqual([
      first.text,
      'hit; ttl=10',
      '2',
    ]);
    const [one, other] = server.requests as [Request, Request];
    expect(other.url).toBe(one.url);
    expect(Object.fromEntries(other.headers)).toEqual({
      accept: 'text/html',
      host: 'other.example',
      'accept-language': 'de',
      'x-shop': 'graz',
    });
  });

  it('that finds that the page varies now is the page of those without the header', async () => {
    const server = storedServer(({ headers }, count) =>
      html(`for ${headers.get('cookie') ?? 'anybody'}`, {
        ...COMMON,
        ...(count > 1 && { vary: 'Cookie' }),
      }),
    );
    await server.get('/p');
    advance(11);
    await refreshed(server, { cookie: 'ann' });
    const ann = await server.get('/p', { cookie: 'ann' });
    expect(ann).toMatchObject({ isHit: false, text: '<!doctype html><p>for ann</p>' });
    expect((await server.get('/p')).text).toContain('for anybody');
  });

  it('that is asked for credentials keeps the page for its time', async () => {
    const open = { 'cache-control': `public, ${SWR}` };
    const server = storedServer(({ headers }, count) =>
      headers.has('authorization') ? html(`render ${count}`, open) : html('who?', {}, 401),
    );
    const sent = { authorization: 'Basic YTpi' };
    await server.get('/p', sent);
    advance(11);
    await server.get('/p', sent);
    await until(() => server.errors.length === 1);
    expect(server.errors[0]).toMatchObject({ code: 'NG_SSR_REFRESH_FAILED' });
    expect(await server.get('/p', sent)).toMatchObject({ isHit: true });
  });
});

describe('a page that may be used when a render fails outlives an answer for one reader', () => {
  const errors = { 'cache-control': 's-maxage=10, stale-if-error=60' };
  const { 'is believed to be elsewhere': _, ...triggers } = TRIGGERS;
  for (const [label, sent] of Object.entries(triggers)) {
    test(`who ${label}`, async () => {
      let isBroken = false;
      const server = storedServer(
        (request, ...rest) => {
          if (isBroken) throw new Error('cracked');
          const { status, headers, body } = page(request, ...rest) as Response;
          const isCommon = headers.get('cache-control') === SWR;
          const own = isCommon ? errors : {};
          return new Response(body, {
            status,
            headers: { ...Object.fromEntries(headers), ...own },
          });
        },
        { trustProxyHeaders: ['x-forwarded-for'] },
      );
      await server.get('/p');
      advance(11);
      const own = await server.get('/p', sent);
      expect(own.isHit).toBe(false);
      await until(() => server.requests.length === 3);
      for (let i = 0; i < 5; i++) await turn();
      isBroken = true;
      expect(await server.get('/p')).toMatchObject({
        status: 200,
        isHit: true,
        text: '<!doctype html><p>render 3</p>',
      });
    });
  }

  it('and one for everybody replaces it', async () => {
    let isBroken = false;
    const server = storedServer((_request, count) => {
      if (isBroken) throw new Error('cracked');
      return html(`render ${count}`, count === 1 ? errors : { 'cache-control': 'no-store' });
    });
    await server.get('/p');
    advance(11);
    expect((await server.get('/p')).text).toContain('render 2');
    await until(() => server.handler.cache.inspect().count === 0);
    isBroken = true;
    expect((await server.get('/p')).status).toBe(500);
  });
});
