import { expect, it } from 'vitest';
import { isLongEnough } from '../../../conformance/test/is-long-enough.ts';
import type { SsrOptions } from '@ng-ssr/core';
import type { Exchange } from '@ng-ssr/core/adapter';
import { plainExchange } from '../plain-exchange.ts';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { html, storedServer, type StoredServer } from './stored-server.ts';

type HeaderRecord = Readonly<Record<string, string>>;

const HOSTS = [
  ...['localhost', 'other.example', '*.shop.example'],
  ...['localhost:81', 'localhost:8080', 'other.example:8080'],
];

/** A page, and the number of its render: equal texts are one page. */
function echoing(options?: Partial<SsrOptions>, headers: HeaderRecord = {}): StoredServer {
  return storedServer(
    (request, count) =>
      html(`${count} ${request.url}`, { 'cache-control': 's-maxage=60', ...headers }),
    { allowedHosts: HOSTS, ...options },
  );
}

/** Whether two requests are answered with one page. */
async function share(server: StoredServer, a: Asked, b: Asked): Promise<boolean> {
  return (await server.ask(toExchange(a))).text === (await server.ask(toExchange(b))).text;
}

/** Requests of `/p` that differ in a header. */
const cookie = (value: string): Asked => ({ headers: { cookie: value } });
const kind = (value: string): Asked => ({ headers: { 'x-kind': value } });
const language = (value: string): Asked => ({ headers: { 'accept-language': value } });

type Asked = string | { target?: string; headers?: HeaderRecord; encrypted?: boolean };

function toExchange(asked: Asked): Exchange {
  const {
    target = '/p',
    headers,
    encrypted = false,
  } = typeof asked === 'string' ? { target: asked } : asked;
  return { ...plainExchange(target, headers), encrypted };
}

it.each([
  ['an unreserved escape', '/cafe', '/caf%65'],
  ['unreserved escapes of every kind', '/Az0-_~', '/%41%7a%30%2D%5f%7E'],
  ['hex digits of either case', '/%c3%a9', '/%C3%A9'],
  ['an escaped dot in a name', '/a.b', '/a%2eb'],
  ['parameters of campaigns', '/p?utm_source=x&gclid=1', '/p'],
  ['parameters of campaigns among others', '/p?a=1&utm_medium=y&b=2', '/p?a=1&b=2'],
  ['an escaped name of a campaign', '/p?%75tm_source=x', '/p'],
  ['the values of campaigns', '/p?fbclid=1', '/p?fbclid=2'],
])('the key: %s makes no other page', async (_name, a, b) => {
  expect(await share(echoing(), a, b)).toBe(true);
});

it('the key: a target that was asked before makes the page of its own host and scheme', async () => {
  const server = echoing();
  const texts: string[] = [];
  for (const host of ['localhost', 'other.example', 'localhost', 'localhost', 'other.example']) {
    for (const encrypted of [false, true, false]) {
      const { text } = await server.ask(toExchange({ headers: { host }, encrypted }));
      expect(text).toContain(`${encrypted ? 'https' : 'http'}://${host}/p`);
      texts.push(text);
    }
  }
  expect(new Set(texts).size).toBe(4);
});

it.each([
  ['letter case', '/P', '/p'],
  ['a slash at the end', '/p/', '/p'],
  ['an escaped delimiter', '/a%3Bb', '/a;b'],
  ['an escaped slash', '/a%2Fb', '/a/b'],
  ['an escaped percent sign', '/a%2561', '/a%61'],
  ['a plus sign in the path', '/a+b', '/a%20b'],
  ['an escaped plus sign', '/a%2Bb', '/a+b'],
  ['an escaped question mark', '/p%3Fa=1', '/p?a=1'],
  ['an escaped equals sign', '/p?a%3D1', '/p?a=1'],
  ['an escaped ampersand', '/p?a=1%26b=2', '/p?a=1&b=2'],
  ['a list and a repeated parameter', '/p?r=a,b', '/p?r=a&r=b'],
  ['the order of equal names', '/p?r=a&r=b', '/p?r=b&r=a'],
  ['the order of parameters', '/p?a=1&b=2', '/p?b=2&a=1'],
  ['an empty value', '/p?a=', '/p?a=0'],
  ['the case of a name', '/p?GCLID=1', '/p'],
  ['what only begins like a campaign', '/p?gclidx=1', '/p'],
  ['a path in a query', '/p?/q', '/p/q'],
])('the key: %s makes another page', async (_name, a, b) => {
  const server = echoing();
  expect(await share(server, a, b)).toBe(false);
  expect(server.requests).toHaveLength(2);
});

it('the key: the page sees the path and the query that the key has', async () => {
  const server = echoing();
  await server.get('/%63af%c3%a9;a=%3b?b=%62&utm_source=x&a=1&a=+');
  expect(server.requests[0]!.url).toBe('http://localhost/caf%C3%A9;a=%3B?b=%62&a=1&a=+');
});

it('the key: the page sees the host that the key has', async () => {
  const server = echoing();
  for (const host of ['LocalHost', 'localhost:80', 'OTHER.example:8080']) {
    await server.get('/p', { host });
    const { url, headers } = server.requests.at(-1)!;
    expect(headers.get('host'), host).toBe(new URL(url).host);
    await server.handler.cache.purge({ prefix: '/', hard: true });
  }
});

it('the key: other parameters are ignored where the options name them', async () => {
  const server = echoing({ cache: { ignoredQuery: ['ref', 'x-*'] } });
  expect(await share(server, '/p?ref=1&x-a=2&x-=3', '/p')).toBe(true);
  expect(await share(server, '/p?utm_source=1', '/p')).toBe(false);
  expect(await share(server, '/p?refx=1', '/p')).toBe(false);
});

it('the key: pages of different origins are different', async () => {
  const server = echoing();
  const at = (host: string, encrypted = false): Asked => ({ headers: { host }, encrypted });
  expect(await share(server, at('localhost'), at('other.example'))).toBe(false);
  expect(await share(server, at('localhost'), at('localhost:8080'))).toBe(false);
  expect(await share(server, at('localhost'), at('localhost', true))).toBe(false);
  expect(await share(server, at('a.shop.example'), at('b.shop.example'))).toBe(false);
  expect(await share(server, at('localhost'), at('LOCALHOST'))).toBe(true);
  expect(await share(server, at('localhost'), at('localhost:80'))).toBe(true);
  expect(await share(server, at('localhost', true), at('localhost:443', true))).toBe(true);
});

it('the key: the origin from a trusted proxy counts, and its prefix', async () => {
  const server = echoing({ trustProxyHeaders: true });
  const by = (headers: HeaderRecord): Asked => ({ headers });
  expect(await share(server, by({}), by({ 'x-forwarded-host': 'other.example' }))).toBe(false);
  expect(await share(server, by({}), by({ 'x-forwarded-proto': 'https' }))).toBe(false);
  expect(await share(server, by({}), by({ 'x-forwarded-prefix': '/shop' }))).toBe(false);
  expect(
    await share(
      server,
      by({ 'x-forwarded-prefix': '/shop' }),
      by({ 'x-forwarded-prefix': '/bar' }),
    ),
  ).toBe(false);
  expect(await share(server, by({}), by({ 'x-forwarded-for': '10.0.0.1' }))).toBe(true);

  const alone = echoing();
  const said = { 'x-forwarded-prefix': '/evil', 'x-forwarded-proto': 'https' };
  expect(await share(alone, by({}), by(said))).toBe(true);
});

it('the key: a prefix does not run into the path', async () => {
  const server = echoing({ trustProxyHeaders: true });
  const a = { target: '/a/p', headers: {} };
  const b = { target: '/p', headers: { 'x-forwarded-prefix': '/a' } };
  expect(await share(server, a, b)).toBe(false);
});

it('the key: by its own word a page depends on no cookie or header it does not name', async () => {
  const server = echoing();
  expect(await share(server, cookie('a=1'), cookie('a=2'))).toBe(true);
  expect(await share(server, { headers: { accept: 'text/html' } }, {})).toBe(true);
});

const RULE = {
  sMaxAge: 60,
  vary: { query: ['r', 'q'], cookies: ['theme', 'a.b'], headers: ['X-Kind', 'accept-language'] },
} as const;
const RULED: Partial<SsrOptions> = {
  routeRules: { '/**': RULE },
  cache: { languages: ['en', 'de'] },
};

it.each<[string, Asked, Asked]>([
  ['a parameter it does not list', '/p?x=1', '/p'],
  ['an empty query', '/p?', '/p'],
  ['ampersands', '/p?&r=1&&', '/p?r=1'],
  ['the order of its parameters', '/p?q=2&r=1', '/p?r=1&q=2'],
  ['other parameters among its own', '/p?x=0&r=1&y=2&q=2', '/p?r=1&q=2'],
  ['a cookie it does not list', cookie('user=ann'), '/p'],
  ['an empty Cookie', cookie(''), '/p'],
  ['a cookie without a value', cookie('theme'), '/p'],
  ['a cookie whose name begins alike', cookie('theme2=dark'), '/p'],
  ['cookies around its own', cookie('user=ann; theme=dark; id=7'), cookie('theme=dark')],
  ['space around a cookie', cookie(' theme = dark '), cookie('theme=dark')],
  ['the second of two cookies', cookie('theme=dark; theme=light'), cookie('theme=dark')],
  ['a header it does not list', { headers: { 'user-agent': 'x' } }, '/p'],
  ['a language that matches the same', language('de-AT'), language('fr, de')],
  ['the default language', language('fr'), '/p'],
  ['Authorization', { headers: { authorization: 'Bearer x' } }, '/p'],
])('the key of a rule: %s makes no other page', async (_name, a, b) => {
  expect(await share(echoing(RULED), a, b)).toBe(true);
});

it.each<[string, Asked, Asked]>([
  ['a parameter it lists', '/p?r=1', '/p'],
  ['an escaped name of a parameter it lists', '/p?%72=1', '/p'],
  ['a list and a repeated parameter', '/p?r=a,b', '/p?r=a&r=b'],
  ['the order of equal names', '/p?r=a&r=b', '/p?r=b&r=a'],
  ['an escaped ampersand', '/p?r=a%26q=b', '/p?r=a&q=b'],
  ['the case of a name', '/p?R=1', '/p?r=1'],
  ['an empty value', '/p?r=', '/p'],
  ['a cookie it lists', cookie('theme=dark'), '/p'],
  ['an empty cookie', cookie('theme='), '/p'],
  ['an equals sign in a cookie', cookie('theme=a=b'), cookie('theme=a')],
  ['the name of a cookie', cookie('theme=x'), cookie('a.b=x')],
  ['a pattern in the name of a cookie', cookie('aXb=x'), cookie('a.b=x')],
  ['a cookie and a header of one value', cookie('a.b=x'), kind('x')],
  ['a header it lists', kind('a'), '/p'],
  ['an empty header', kind(''), '/p'],
  ['what stands for an absent header', kind('-'), '/p'],
  ['another language', language('de'), language('en')],
])('the key of a rule: %s makes another page', async (_name, a, b) => {
  const server = echoing(RULED);
  if (_name === 'a pattern in the name of a cookie') {
    expect(await share(server, a, '/p')).toBe(true);
  }
  expect(await share(server, a, b)).toBe(false);
});

/** What tells a request from others under the header policy, found in another way than the key is. */
function identityByHeader({ target, headers, encrypted }: Request_): unknown {
  const [path, query] = split(target);
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const kept = parameters.filter((parameter) => !/^(%75|u)tm_|^gclid(=|$)/.test(parameter));
  const isWhole = kept.length === parameters.length;
  return [
    originOf(headers['host']!, encrypted),
    normalise(path),
    isWhole ? target.slice(path.length) : kept.length > 0 ? `?${kept.join('&')}` : '',
    headers['x-kind']?.trim() ?? null,
  ];
}

/** The same under the rule above. */
function identityByRule({ target, headers, encrypted }: Request_): unknown {
  const [path, query] = split(target);
  const listed = (name: string): string[] =>
    query.split('&').filter((parameter) => decodeURIComponent(parameter.split('=')[0]!) === name);
  const cookie = (name: string): string | null => {
    for (const pair of (headers['cookie'] ?? '').split(';')) {
      const [key, ...value] = pair.split('=');
      if (key!.trim() === name && value.length > 0) return value.join('=').trim();
    }
    return null;
  };
  return [
    originOf(headers['host']!, encrypted),
    normalise(path),
    [...listed('q'), ...listed('r')],
    cookie('theme'),
    cookie('a.b'),
    headers['x-kind']?.trim() ?? null,
    /de/.test(headers['accept-language'] ?? '') ? 'de' : 'en',
  ];
}

interface Request_ {
  readonly target: string;
  readonly headers: HeaderRecord;
  readonly encrypted: boolean;
}

function split(target: string): [path: string, query: string] {
  const [path, ...query] = target.split('?');
  return [path!, query.join('?')];
}

function originOf(host: string, encrypted: boolean): string {
  return new URL(`${encrypted ? 'https' : 'http'}://${host}`).origin;
}

function normalise(path: string): string {
  return path.replaceAll(/%([\da-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

function randomRequest(random: Random): Request_ {
  const some = (list: readonly string[], most: number): string[] =>
    Array.from({ length: random.below(most + 1) }, () => random.pick(list));
  const path = `/${some(['a', 'A', '%61', '%41', ';', '%3B', '%3b', '/a', '%2F', 'a.b', 'a%2Eb', '-'], 3).join('')}`;
  const query = some(
    [
      ...['r', 'r=', 'r=a', 'r=b', 'r=a,b', 'q=a', 'q=a%26r=b', '%72=a', 'x=1', 'utm_x=1'],
      ...['utm_x=2', '%75tm_x', 'gclid', '', 'gclidx=1'],
    ],
    3,
  ).join('&');
  const cookie = some(
    [
      ...['theme=a', 'theme=b', 'theme=', 'theme', 'theme=a=b', 'a.b=a', 'user=1', 'user=theme=a'],
      ...[' theme = a ', 'a.b=-'],
    ],
    3,
  ).join(random.pick([';', '; ']));
  const headers: Record<string, string> = {
    host: random.pick(['localhost', 'other.example', 'LocalHost', 'localhost:80', 'localhost:81']),
  };
  if (random.chance(0.6)) headers['cookie'] = cookie;
  if (random.chance(0.5)) headers['x-kind'] = random.pick(['', '-', '=', 'a', ' a', 'b', '=a']);
  if (random.chance(0.5))
    headers['accept-language'] = random.pick(['de', 'fr, de;q=0.1', 'en', '*']);
  const target = (random.chance(0.7) ? `${path}?${query}` : path).replace(/^\/+/, '/');
  return { target, headers, encrypted: random.chance(0.3) };
}

it.each<[string, Partial<SsrOptions>, HeaderRecord, (request: Request_) => unknown]>([
  ['the header policy', {}, { vary: 'x-kind' }, identityByHeader],
  ['a rule', RULED, {}, identityByRule],
])(
  'two random requests share a page under %s just when they should',
  async (_name, options, headers, identityOf) => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const random = new Random(seed);
    const server = echoing({ files: { encodings: [] }, ...options }, headers);
    const pages = new Map<string, string>();
    const identities = new Map<string, string>();
    let shared = 0;
    let unstored = 0;
    for (let i = 0; i < 4000; i++) {
      const request = randomRequest(random);
      const { status, text, cache } = await server.ask(toExchange(request));
      // Dot segments and the like have no page.
      if (status !== 200) continue;
      // Other names of a page, which Angular has some of, are never stored, nor are needless escapes.
      if (/detail=(?:rule|request-no-store)/.test(cache)) {
        unstored++;
        continue;
      }
      const identity = JSON.stringify(identityOf(request));
      const why = (): string => `seed ${seed}, request ${i}: ${JSON.stringify(request)}`;
      const page = pages.get(identity);
      if (page === undefined) {
        if (identities.has(text)) expect.fail(`${why()} has the page of ${identities.get(text)}`);
        pages.set(identity, text);
        identities.set(text, identity);
      } else {
        if (text !== page) expect.fail(`${why()} was rendered once more`);
        shared++;
      }
    }
    expect(server.requests).toHaveLength(pages.size + unstored);
    expect(Math.min(pages.size, shared)).toBeGreaterThan(300);
  },
  30_000,
);

it.each([
  ['relative', 'q', 'q?utm_source=x&gclid=1'],
  ['by its path', '/q', '/q?utm_source=x&gclid=1'],
  ['absolute', 'http://localhost/q', 'http://localhost/q?utm_source=x&gclid=1'],
  ['with a query', '/q?a=1', '/q?a=1&utm_source=x&gclid=1'],
  ['with a fragment', '/q#top', '/q?utm_source=x&gclid=1#top'],
  ['with both', '/q?a=1#top?', '/q?a=1&utm_source=x&gclid=1#top?'],
  ['with a number sign in the fragment', '/q#/a#b#', '/q?utm_source=x&gclid=1#/a#b#'],
])('a redirect keeps the parameters its page has not seen: %s', async (_name, location, kept) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const server = storedServer(
      () => new Response(null, { status, headers: { location, 'cache-control': 's-maxage=60' } }),
    );
    for (let i = 0; i < 2; i++) {
      const answer = await server.get('/p?utm_source=x&gclid=1');
      expect([answer.status, answer.header('location')]).toEqual([status, kept]);
    }
    expect((await server.get('/p?b=2')).header('location')).toBe(location);
    // Each has its own.
    expect((await server.get('/p?utm_source=y')).header('location')).toContain('utm_source=y');
    expect((await server.get('/p')).header('location')).toBe(location);
    expect(server.requests.every(({ url }) => !url.includes('utm_'))).toBe(true);
  }
});

it.each(['https://other.example/q', '//other.example/q'])(
  'a redirect to another site does not tell it the parameters that the page has not seen: %s',
  async (location) => {
    const server = storedServer(() => new Response(null, { status: 302, headers: { location } }));
    const answer = await server.get('/p?utm_source=x');
    expect([answer.status, answer.header('location')]).toEqual([302, location]);
  },
);

it('a redirect on a route with a rule keeps all parameters but those of its key', async () => {
  const location = '/q';
  const server = storedServer(
    ({ url }) =>
      new Response(null, { status: 301, headers: { location: url.replace('/p', '/q') } }),
    { routeRules: { '/p': { sMaxAge: 60, vary: { query: ['page'] } } } },
  );
  for (let i = 0; i < 2; i++) {
    const answer = await server.get('/p?id=7&page=2&utm_source=x');
    expect(answer.header('location')).toBe(`http://localhost${location}?page=2&id=7&utm_source=x`);
  }
  expect(server.requests.map(({ url }) => url)).toEqual(['http://localhost/p?page=2']);
});

it('only a redirect gets the parameters its page has not seen', async () => {
  for (const status of [200, 201, 404]) {
    const server = storedServer(() => html('page', { location: '/q' }, status));
    expect((await server.get('/p?utm_source=x')).header('location')).toBe('/q');
  }
});

/** What String.trim takes off beside the white space of HTTP, as far as a header may hold it. */
const EDGES = ['', ' ', '\t', '\u00a0', '\v', '\f', '\u00a0 ', ' \t', '\u0085'];

it('two requests that share a key give the engine the same Request, to the byte', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const server = storedServer(
    ({ url, headers }) =>
      html(JSON.stringify([url, ...headers]), { 'cache-control': 's-maxage=60' }),
    {
      routeRules: {
        '/r/**': { sMaxAge: 60, vary: { cookies: ['c'], headers: ['x-kind', 'accept-language'] } },
      },
      errorDetails: false,
    },
  );
  const about = (value: string): string =>
    random.pick(EDGES) + (random.chance(0.2) ? '' : value) + random.pick(EDGES);
  let hits = 0;
  for (let i = 0; !isLongEnough(i, stress(2000), () => hits > 0); i++) {
    const sent = {
      'x-kind': about(random.pick(['a', 'b'])),
      'accept-language': about(random.pick(['de', 'en'])),
      cookie: `${about('c')}=${about(random.pick(['1', '2']))};${about('d')}=3`,
    };
    const { text, isHit } = await server.get('/r/p', sent);
    if (isHit) hits++;
    const exchange = plainExchange('/r/p', sent);
    const own = await storedServer(
      ({ url, headers }) => html(JSON.stringify([url, ...headers]), {}),
      {
        routeRules: {
          '/r/**': {
            sMaxAge: 60,
            vary: { cookies: ['c'], headers: ['x-kind', 'accept-language'] },
          },
        },
        errorDetails: false,
      },
    ).ask(exchange);
    expect(text, `seed ${seed}, request ${i}: ${JSON.stringify(sent)}`).toBe(own.text);
  }
  expect(hits).toBeGreaterThan(0);
});

it('a stored page that varies by headers is, for each request, what the engine makes of its headers', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const page = ({ headers }: Request): Response =>
    html(JSON.stringify([headers.get('x-kind'), headers.get('accept-language')]), {
      'cache-control': 's-maxage=60',
      vary: 'x-kind, accept-language',
    });
  const server = storedServer(page);
  const about = (value: string): string => random.pick(EDGES) + value + random.pick(EDGES);
  let hits = 0;
  for (let i = 0; !isLongEnough(i, stress(2000), () => hits > 0); i++) {
    const headers = {
      'x-kind': about(random.pick(['a', ''])),
      'accept-language': about(random.pick(['de', 'en'])),
    };
    const { text, cache } = await server.get('/p', headers);
    const own = await page(new Request('http://localhost', { headers })).text();
    if (cache.startsWith('hit')) hits++;
    expect(text, `seed ${seed}, request ${i}: ${JSON.stringify(headers)}`).toBe(own);
  }
  expect(hits).toBeGreaterThan(0);
});

it('a page that varies by a header has one for each value that it sees', async () => {
  const server = storedServer(({ headers }) =>
    html(JSON.stringify(headers.get('x-kind')), {
      'cache-control': 's-maxage=60',
      vary: 'x-kind',
    }),
  );
  for (const value of ['a', '\u00a0a', 'a\u00a0', '\va', 'a\f']) {
    const { text } = await server.get('/p', { 'x-kind': value });
    expect(text).toContain(JSON.stringify(value));
  }
});

it('a page that varies by what is no header name is not stored', async () => {
  const server = echoing({}, { vary: 'x-kind, a b' });
  expect((await server.get('/p')).cache).toContain('detail=vary-star');
  expect((await server.get('/p')).cache).toContain('detail=vary-star');
});
