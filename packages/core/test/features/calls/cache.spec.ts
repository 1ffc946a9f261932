import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallRule } from '@ng-ssr/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from './api.ts';
import { callingServer, type CallingServer, type Got } from './calling-server.ts';

type Respond = (request: IncomingMessage, response: ServerResponse, count: number) => void;

let api: Api;
let respond: Respond;
let count = 0;

beforeAll(async () => {
  api = await startApi((request, response) => respond(request, response, ++count));
});

/** Requests of one test, to a URL of its own. */
interface Talk {
  readonly server: CallingServer;
  readonly url: string;
  /** How often the API was asked in this test. */
  asked(): number;
  last(): IncomingMessage;
  call(init?: RequestInit, headers?: Record<string, string>): Promise<Got>;
}

let urls = 0;

function talk(rule: CallRule, answer: Respond): Talk {
  const url = `${api.origin}/data/${++urls}`;
  const before = api.asked.length;
  const first = count;
  respond = (request, response, all) => answer(request, response, all - first);
  const server = callingServer({ '**': rule });
  return {
    server,
    url,
    asked: () => api.asked.length - before,
    last: () => api.asked.at(-1)!,
    call: (init, headers) => server.call(url, init, headers),
  };
}

/** Answers with these headers, and the number of the request as content. */
function withHeaders(headers: Record<string, string>, status = 200): Respond {
  return (_request, response, number) => {
    response.writeHead(status, headers).end(`answer ${number}`);
  };
}

const SHARED: CallRule = { cache: 'shared' };
const FRESH = { 'cache-control': 'max-age=60' };

/** A response, a rule, and how often two calls ask the API. */
const STORING: readonly {
  readonly title: string;
  readonly rule?: CallRule;
  /** {@link FRESH} where it says nothing. */
  readonly headers?: Record<string, string>;
  readonly status?: number;
  readonly init?: RequestInit;
  readonly second?: RequestInit;
  readonly asked: 1 | 2;
}[] = [
  { title: 'max-age', asked: 1 },
  { title: 's-maxage', headers: { 'cache-control': 's-maxage=60, max-age=0' }, asked: 1 },
  { title: 'Expires', headers: { expires: new Date(Date.now() + 60_000).toUTCString() }, asked: 1 },
  {
    title: 'CDN-Cache-Control before Cache-Control',
    headers: { 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' },
    asked: 1,
  },
  { title: 'no rule of a cache', rule: {}, asked: 2 },
  { title: 'nothing stated', headers: {}, asked: 2 },
  {
    title: 'nothing stated, but by the rule',
    rule: { cache: { sMaxAge: 60 } },
    headers: {},
    asked: 1,
  },
  {
    title: 'the lifetime of the response before that of the rule',
    rule: { cache: { sMaxAge: 60 } },
    headers: { 'cache-control': 'max-age=0' },
    asked: 2,
  },
  ...['no-store', 'private', 'private="x-a"', 'no-cache'].map((directive) => ({
    title: `${directive}, whatever the rule says`,
    rule: { cache: { sMaxAge: 60, staleWhileRevalidate: 60, staleIfError: 60 } },
    headers: { 'cache-control': directive },
    asked: 2 as const,
  })),
  {
    title: 'Set-Cookie',
    headers: { 'cache-control': 'max-age=60', 'set-cookie': 'user=ann' },
    asked: 2,
  },
  { title: 'an old Age', headers: { 'cache-control': 'max-age=60', age: '61' }, asked: 2 },
  {
    title: 'an old Date',
    headers: {
      'cache-control': 'max-age=60',
      date: new Date(Date.now() - 100_000).toUTCString(),
    },
    asked: 2,
  },
  { title: 'Vary: *', headers: { 'cache-control': 'max-age=60', vary: '*' }, asked: 2 },
  { title: '404', status: 404, asked: 1 },
  ...[404, 410, 301, 308].map((status) => ({
    title: `${status}, which states none, in spite of the rule`,
    rule: { cache: { sMaxAge: 60 } },
    headers: {},
    ...{ status, asked: 2 as const },
  })),
  ...[203, 204].map((status) => ({
    title: `${status}, which states none, but the rule does`,
    rule: { cache: { sMaxAge: 60 } },
    headers: {},
    ...{ status, asked: 1 as const },
  })),
  { title: '500', status: 500, asked: 2 },
  {
    title: '206',
    headers: { 'cache-control': 'max-age=60', 'content-range': 'bytes 0-1/9' },
    status: 206,
    asked: 2,
  },
  { title: 'a range', init: { headers: { range: 'bytes=0-1' } }, asked: 2 },
  { title: 'a call of the cache mode no-store', init: { cache: 'no-store' }, second: {}, asked: 2 },
  {
    title: 'a call with Cache-Control: no-store',
    init: { headers: { 'cache-control': 'no-store' } },
    second: {},
    asked: 2,
  },
  { title: 'a later call of the cache mode reload', second: { cache: 'reload' }, asked: 2 },
  {
    title: 'a later call with Pragma: no-cache',
    second: { headers: { pragma: 'no-cache' } },
    asked: 2,
  },
  { title: 'a later HEAD', second: { method: 'HEAD' }, asked: 1 },
  { title: 'an earlier HEAD', init: { method: 'HEAD' }, second: {}, asked: 2 },
  {
    title: 'a token in a header that Vary does not name',
    init: { headers: { 'x-session': 'ann' } },
    second: { headers: { 'x-session': 'bob' } },
    asked: 2,
  },
  ...['origin', 'referer', 'baggage', 'tracestate', 'user-agent', 'save-data'].map((name) => ({
    title: `another ${name} that Vary does not name`,
    init: { headers: { [name]: 'https://a.example' } },
    second: { headers: { [name]: 'https://b.example' } },
    asked: 2 as const,
  })),
  {
    title: 'another Accept that Vary does not name',
    init: { headers: { accept: 'text/a' } },
    second: { headers: { accept: 'text/b' } },
    asked: 1,
  },
  {
    title: 'another Accept that Vary names',
    headers: { 'cache-control': 'max-age=60', vary: 'Accept' },
    init: { headers: { accept: 'text/a' } },
    second: { headers: { accept: 'text/b' } },
    asked: 2,
  },
  {
    title: 'the id of a trace',
    init: { headers: { traceparent: 'a' } },
    second: { headers: { traceparent: 'b' } },
    asked: 1,
  },
  {
    title: 'Authorization',
    headers: { 'cache-control': 'public, max-age=60' },
    init: { headers: { authorization: 'Bearer a' } },
    asked: 2,
  },
  {
    title: 'Authorization that the rule names',
    rule: { cache: { vary: { headers: ['authorization'] } } },
    init: { headers: { authorization: 'Bearer a' } },
    asked: 1,
  },
  {
    title: 'another Authorization that the rule names',
    rule: { cache: { vary: { headers: ['authorization'] } } },
    init: { headers: { authorization: 'Bearer a' } },
    second: { headers: { authorization: 'Bearer b' } },
    asked: 2,
  },
  { title: 'a cookie', init: { headers: { cookie: 'a=1' } }, asked: 2 },
  {
    title: 'a cookie that the rule names',
    rule: { cache: { vary: { cookies: ['a'] } } },
    init: { headers: { cookie: 'a=1' } },
    asked: 1,
  },
  {
    title: 'a cookie that the rule names, and one that it does not',
    rule: { cache: { vary: { cookies: ['a'] } } },
    init: { headers: { cookie: 'a=1; b=2' } },
    asked: 2,
  },
  {
    title: 'another value of a cookie that the rule names',
    rule: { cache: { vary: { cookies: ['a'] } } },
    init: { headers: { cookie: 'a=1' } },
    second: { headers: { cookie: 'a=2' } },
    asked: 2,
  },
];

it.each(STORING)('$title: the API is asked $asked times', async (row) => {
  const { rule = SHARED, headers = FRESH, status, init, second = init, asked } = row;
  const told = talk(rule, withHeaders(headers, status));
  const first = await told.call(init);
  expect(first.error).toBeUndefined();
  const again = await told.call(second);
  expect(again.error).toBeUndefined();
  expect(told.asked()).toBe(asked);
  if (asked === 1) {
    expect([again.result, again.status]).toEqual(['hit', first.status]);
    expect(Number(again.headers['age'])).toBeGreaterThanOrEqual(0);
    expect(again.text).toBe(second?.method === 'HEAD' ? '' : first.text);
  }
});

it('forwarded headers are part of the key, whatever Vary says', async () => {
  const rule: CallRule = { cache: 'shared', forward: ['accept-language'] };
  const told = talk(rule, withHeaders({ 'cache-control': 'max-age=60' }));
  const de = await told.call({}, { 'accept-language': 'de' });
  const en = await told.call({}, { 'accept-language': 'en' });
  const again = await told.call({}, { 'accept-language': 'de' });
  expect([de.text, en.text, again.text]).toEqual(['answer 1', 'answer 2', 'answer 1']);
});

describe('validation', () => {
  const validated: Respond = (request, response, number) => {
    const headers = { etag: '"one"', 'cache-control': 'no-cache', 'x-number': String(number) };
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(`answer ${number}`);
  };

  it('no-cache with an ETag: each use is validated, and a 304 updates the headers', async () => {
    const told = talk(SHARED, validated);
    await told.call();
    const { status, text, headers, result } = await told.call();
    expect([status, text, headers['x-number'], result]).toEqual([
      200,
      'answer 1',
      '2',
      'revalidated',
    ]);
  });

  it('Last-Modified: a stale response is validated, and fresh afterwards', async () => {
    const modified = new Date(Date.now() - 1e6).toUTCString();
    const told = talk(SHARED, (request, response, number) => {
      const isKnown = request.headers['if-modified-since'] === modified;
      const maxAge = number === 1 ? 0 : 60;
      response.writeHead(isKnown ? 304 : 200, {
        'last-modified': modified,
        'cache-control': `max-age=${maxAge}`,
      });
      response.end(isKnown ? undefined : `answer ${number}`);
    });
    const texts = [await told.call(), await told.call(), await told.call()];
    expect(texts.map(({ text, result }) => [text, result])).toEqual([
      ['answer 1', 'miss'],
      ['answer 1', 'revalidated'],
      ['answer 1', 'hit'],
    ]);
    expect(told.asked()).toBe(2);
  });

  it('a 304 about another ETag: the call is sent without validators', async () => {
    const told = talk(SHARED, (request, response, number) => {
      const isConditional = request.headers['if-none-match'] !== undefined;
      const headers = { etag: isConditional ? '"two"' : '"one"', 'cache-control': 'no-cache' };
      response.writeHead(isConditional ? 304 : 200, headers);
      response.end(isConditional ? undefined : `answer ${number}`);
    });
    await told.call();
    expect(await told.call()).toMatchObject({ status: 200, text: 'answer 3' });
  });

  it('a caller with validators of its own gets the 304', async () => {
    const told = talk(SHARED, validated);
    await told.call();
    const { status } = await told.call({ headers: { 'if-none-match': '"one"' } });
    expect(status).toBe(304);
  });

  it('the cache mode no-cache validates a fresh response', async () => {
    const told = talk(SHARED, (request, response, number) => {
      const isKnown = request.headers['if-none-match'] === '"one"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"one"', 'cache-control': 'max-age=60' });
      response.end(isKnown ? undefined : `answer ${number}`);
    });
    await told.call();
    expect((await told.call({ cache: 'no-cache' })).result).toBe('revalidated');
  });
});

describe('stale responses', () => {
  it('stale-while-revalidate: the stale one is used, and a refresh outlives its render', async () => {
    let release: () => void = () => {};
    const told = talk(SHARED, (_request, response, number) => {
      const headers = {
        'cache-control': `max-age=${number === 1 ? 0 : 60}, stale-while-revalidate=60`,
      };
      const end = (): void => void response.writeHead(200, headers).end(`answer ${number}`);
      if (number === 1) end();
      else release = end;
    });
    await told.call();
    const stale = await told.call();
    expect([stale.text, stale.result]).toEqual(['answer 1', 'stale']);
    await api.arrived(api.asked.length - told.asked() + 2);
    expect((await told.call()).text).toBe('answer 1');
    release();
    await expect.poll(async () => (await told.call()).text).toBe('answer 2');
    expect(told.asked()).toBe(2);
  });

  it('must-revalidate forbids it, whatever the rule says', async () => {
    const rule: CallRule = { cache: { staleWhileRevalidate: 60, staleIfError: 60 } };
    const told = talk(
      rule,
      withHeaders({ 'cache-control': 'max-age=0, must-revalidate', etag: '"a"' }),
    );
    await told.call();
    expect((await told.call()).text).toBe('answer 2');
  });

  const failures: Record<string, Respond> = {
    'a status of 503': withHeaders({}, 503),
    'a lost connection': (_request, response) => void response.destroy(),
    'no answer in time': () => {},
  };
  it.each(Object.keys(failures))('stale-if-error: %s', async (name) => {
    const rule: CallRule = { cache: { staleIfError: 60 }, timeoutMs: 300 };
    const told = talk(rule, (request, response, number) => {
      if (number === 1) withHeaders({ 'cache-control': 'max-age=0' })(request, response, number);
      else failures[name]!(request, response, number);
    });
    await told.call();
    const { text, result, error } = await told.call();
    expect([text, result, error]).toEqual(['answer 1', 'stale', undefined]);
    // The API has failed just now, and is left in peace.
    expect((await told.call()).result).toBe('stale');
    expect(told.asked()).toBe(2);
  });

  it('without stale-if-error a call whose time is over fails', async () => {
    const told = talk({ ...SHARED, timeoutMs: 50 }, (request, response, number) => {
      if (number === 1)
        withHeaders({ 'cache-control': 'max-age=0', etag: '"a"' })(request, response, 1);
    });
    await told.call();
    expect((await told.call()).error).toContain('took longer than 50 ms');
  });
});

describe('unsafe calls', () => {
  it.each([
    ['POST', 200, 2],
    ['DELETE', 204, 2],
    ['PUT', 500, 1],
    ['OPTIONS', 200, 1],
  ])('%s with %s: the API is asked %s times', async (method, status, asked) => {
    const told = talk(SHARED, (request, response, number) => {
      if (request.method !== 'GET') response.writeHead(status).end();
      else withHeaders({ 'cache-control': 'max-age=60' })(request, response, number);
    });
    await told.call();
    await told.call({ method });
    await told.call();
    expect(told.asked()).toBe(asked + 1);
  });

  it('removes it before a redirect that leads back to the same URL', async () => {
    const told = talk(SHARED, (request, response, number) => {
      if (request.method === 'POST') response.writeHead(303, { location: told.url }).end();
      else withHeaders({ 'cache-control': 'max-age=60' })(request, response, number);
    });
    await told.call();
    expect((await told.call({ method: 'POST' })).text).toBe('answer 3');
  });

  it('removes that of Content-Location too, but none of another origin', async () => {
    const told = talk(SHARED, (request, response, number) => {
      const headers = { 'content-location': new URL(told.url).pathname };
      if (request.method === 'POST') response.writeHead(200, headers).end();
      else withHeaders({ 'cache-control': 'max-age=60' })(request, response, number);
    });
    await told.call();
    await told.server.call(`${api.origin}/other`, { method: 'POST', body: 'x' });
    expect((await told.call()).text).toBe('answer 3');
    await told.server.call(told.url.replace('127.0.0.1', 'localhost'), { method: 'POST' });
    expect((await told.call()).text).toBe('answer 3');
  });
});

it('a content of more than maxBytes fails the call', async () => {
  const told = talk({ ...SHARED, maxBytes: 5 }, withHeaders({ 'cache-control': 'max-age=60' }));
  expect((await told.call()).error).toContain('maxBytes');
});

it('a redirect is asked for each time, and the response that it leads to is stored by the rule of its own URL', async () => {
  const told = talk(SHARED, (request, response, number) => {
    if (!request.url!.startsWith('/data'))
      withHeaders({ 'cache-control': 'max-age=60' })(request, response, number);
    else response.writeHead(302, { location: '/target', 'cache-control': 'max-age=60' }).end();
  });
  await told.call();
  expect((await told.call()).text).toBe('answer 2');
  expect(told.asked()).toBe(3);
});
