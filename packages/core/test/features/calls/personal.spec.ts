import { expect, it } from 'vitest';
import { html, storedServer } from '../../pages/stored-server.ts';
import { withCalls } from '@ng-ssr/core';
import { startApi } from './api-server.ts';

type HeaderRecord = Readonly<Record<string, string>>;

const PUBLIC = {
  'cache-control': 'public, s-maxage=60',
  'cdn-cache-control': 'max-age=600',
  'cloudflare-cdn-cache-control': 'max-age=600',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
};

it.each(['cookie', 'authorization'])(
  'a page whose call got the %s of its request is for that client alone, whatever it says',
  async (name) => {
    const { origin } = await startApi();
    const server = storedServer(
      async () => {
        const response = await fetch(`${origin}/echo`, { credentials: 'include' });
        const { headers } = (await response.json()) as { headers: Record<string, string> };
        return html(`for ${headers[name]}`, PUBLIC);
      },
      { features: [withCalls({ [`${origin}/**`]: { forward: [name] } })] },
    );
    for (const user of ['ann', 'bob']) {
      const page = await server.get('/p', { [name]: user });
      expect(page.text).toContain(`for ${user}`);
      expect(page.cache).toContain('detail=personal-call');
      expect(page.header('cache-control')).toBe('private, no-cache');
      for (const each of ['cdn-cache-control', 'cloudflare-cdn-cache-control', 'expires']) {
        expect(page.header(each), each).toBeUndefined();
      }
      expect(page.header('vary')?.toLowerCase()).toContain(name);
    }
    // Without the header there is nothing of a client's in it.
    const page = await server.get('/p');
    expect(page.cache).toContain('stored');
    expect(page.header('cache-control')).toBe(PUBLIC['cache-control']);
    expect((await server.get('/p', { [name]: 'cat' })).text).toContain('for cat');
    expect((await server.get('/p')).isHit).toBe(true);
  },
);

const TOKEN = 'b3c1f0a9-session-of-ann';

/** Ways in which applications pass on credentials, and what the page's request has. */
const PASSED_ON: Record<
  string,
  { readonly has: HeaderRecord; readonly sends: (has: Headers) => HeaderRecord }
> = {
  'the cookie as it is': {
    has: { cookie: `theme=dark; session=${TOKEN}` },
    sends: (has) => ({ cookie: has.get('cookie')! }),
  },
  'one short cookie of several, spelt in another way': {
    has: { cookie: 'theme=dark; user = 7' },
    sends: () => ({ cookie: 'app=shop;user=7' }),
  },
  'a cookie in another header': {
    has: { cookie: 'user=7' },
    sends: () => ({ 'x-cookie': 'user=7' }),
  },
  'the value of a cookie as a token': {
    has: { cookie: `session=${encodeURIComponent(`s:${TOKEN}`)}` },
    sends: () => ({ authorization: `Bearer s:${TOKEN}` }),
  },
  Authorization: {
    has: { authorization: 'Basic YTpi' },
    sends: (has) => ({ authorization: has.get('authorization')! }),
  },
  'Authorization with its scheme in another case': {
    has: { authorization: 'bearer abc' },
    sends: () => ({ authorization: 'Bearer abc' }),
  },
  'Authorization in another header': {
    has: { authorization: `Bearer ${TOKEN}` },
    sends: () => ({ 'x-access-token': TOKEN }),
  },
};

const URL_OF_PAGE = '/p';

/** A server whose page sends these headers with its call, as an interceptor does. */
async function passing(
  sends: (has: Headers) => HeaderRecord,
): Promise<ReturnType<typeof storedServer>> {
  const { origin } = await startApi();
  return storedServer(
    async (request) => {
      const headers = request.headers.has('x-visitor') ? sends(request.headers) : {};
      const response = await fetch(`${origin}/echo`, { headers });
      return html(`made of ${await response.text()}`, PUBLIC);
    },
    { features: [withCalls({ '**': {} })] },
  );
}

it.each(Object.keys(PASSED_ON))('a page is for one client if its call has got %s', async (name) => {
  const { has, sends } = PASSED_ON[name]!;
  const server = await passing(sends);
  const page = await server.get(URL_OF_PAGE, { ...has, 'x-visitor': '1' });
  expect(page.cache).toContain('detail=personal-call');
  expect(page.header('cache-control')).toBe('private, no-cache');
  expect((await server.get(URL_OF_PAGE)).isHit).toBe(false);
});

it.each<[string, HeaderRecord, HeaderRecord]>([
  ['a token of the service', { cookie: `session=${TOKEN}` }, { authorization: 'Bearer service' }],
  ['a cookie of the service', { cookie: 'session=1' }, { cookie: 'session=2; app=shop' }],
  ['a short value by chance', { cookie: 'lang=de; q=1' }, { 'x-lang': 'de', 'x-q': '1' }],
  ['the formats that it takes', { cookie: 'x=application/json' }, { accept: 'application/json' }],
])('a page is for all clients if its call has got %s', async (_title, has, sends) => {
  const server = await passing(() => sends);
  const page = await server.get(URL_OF_PAGE, { ...has, 'x-visitor': '1' });
  expect(page.cache).toContain('stored');
  expect((await server.get(URL_OF_PAGE)).isHit).toBe(true);
});

it('a page of a shared route may pass on what its request has: others have no part in its key', async () => {
  const { origin } = await startApi();
  const server = storedServer(
    async (request) => {
      const headers = { cookie: request.headers.get('cookie') ?? '' };
      const response = await fetch(`${origin}/echo`, { headers });
      return html(`made of ${await response.text()}`, {});
    },
    {
      features: [withCalls({ '**': {} })],
      routeRules: { '/p': { sMaxAge: 60, vary: { cookies: ['currency'] } } },
    },
  );
  const ofPage = { cookie: `currency=EUR; session=${TOKEN}` };
  const page = await server.get(URL_OF_PAGE, ofPage);
  expect(page.cache).toContain('stored');
  expect(page.text).toContain('currency=EUR');
  expect(page.text).not.toContain(TOKEN);
});
