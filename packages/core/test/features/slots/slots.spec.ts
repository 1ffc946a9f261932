import { getEventListeners } from 'node:events';
import { expect, it, test, vi } from 'vitest';
import {
  type Edge,
  type Feature,
  type FillContext,
  type SlotOptions,
  withDictionaries,
  withEdge,
  withNonce,
  withSlots,
} from '@ng-ssr/core';
import type { Answer } from '@ng-ssr/core/adapter';
import { headerOf } from '../../header-of.ts';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { html } from '../../pages/stored-server.ts';
import { inspectedServer } from '../inspector/inspected-server.ts';
import { ANN, readAnswer, slottedServer, STORED } from './slotted-server.ts';

const userOf = ({ headers }: Request): unknown => ({ user: headers.get('cookie') });
const USER: Readonly<Record<string, SlotOptions>> = { user: { fill: userOf } };
const later = <Data>(ms: number, data: Data): Promise<Data> =>
  new Promise((resolve) => setTimeout(resolve, ms, data));
const never = (): Promise<never> => new Promise(() => undefined);

test('a page that is rendered, stored or prerendered has its slots', async () => {
  const folder = writeBuiltSite({ 'browser/about/index.html': prerendered('about') });
  const server = slottedServer(USER, { files: { folder } });
  for (const [target, cacheStatus] of [
    ['/a', /fwd=uri-miss; stored/],
    ['/a', /; hit/],
    ['/about', /; hit$/],
  ] as const) {
    for (const cookie of ['session=ann', 'session=bob']) {
      const page = await server.read(target, { cookie });
      expect([page.status, page.isStreamed]).toEqual([200, true]);
      expect(page.slots).toEqual({ user: { user: cookie } });
      if (cookie === 'session=ann') expect(page.header('cache-status')).toMatch(cacheStatus);
    }
  }
  expect(server.requests).toHaveLength(1);
  expect(server.errors).toEqual([]);
});

/** Headers by which some cache would keep a page. */
const FOR_CACHES = {
  ...{ 'cdn-cache-control': 'max-age=60', 'vercel-cdn-cache-control': 'max-age=60' },
  ...{ 'surrogate-control': 'max-age=60', 'edge-control': 'max-age=60', 'x-accel-expires': '60' },
  ...{ 'surrogate-key': 'a', 'cache-tag': 'a', pragma: 'cache' },
  ...{ 'last-modified': 'Thu, 01 Jan 2015 00:00:00 GMT' },
};

test('the response is of one client: no cache keeps it, and there is nothing to validate', async () => {
  const server = slottedServer(USER, {}, () =>
    html('a', {
      ...STORED,
      vary: 'accept-language',
      ...FOR_CACHES,
      link: '</a>',
    }),
  );
  await server.read('/a');
  const page = await server.read('/a', { ...ANN, 'if-none-match': '*', 'if-modified-since': 'x' });
  expect(page.status).toBe(200);
  expect(page.header('cache-control')).toBe('private, no-cache, no-transform');
  expect(page.header('vary')).toBe('accept-language, Accept-Encoding, Cookie');
  expect(page.header('link')).toBe('</a>');
  for (const name of [...Object.keys(FOR_CACHES), 'etag', 'accept-ranges', 'age']) {
    expect(page.header(name), name).toBeUndefined();
  }
});

test('the length is that of what is sent, if it is known', async () => {
  const server = slottedServer({
    user: { fill: async (request) => userOf(request) },
    late: { routes: ['/late'], fill: () => later(1, 1) },
  });
  for (const encoding of ['identity', 'gzip']) {
    const headers = { ...ANN, 'accept-encoding': encoding };
    for (const target of ['/a', '/late']) {
      await server.read(target, headers);
      const { header, pieces, slots } = await server.read(target, headers);
      const lengths = [undefined, String(Buffer.concat(pieces).byteLength)];
      expect(header('content-length')).toBe(lengths[target === '/a' ? 1 : 0]);
      expect(Object.keys(slots)).toHaveLength(target === '/a' ? 1 : 2);
    }
  }
});

test('content in pieces is what is read', async () => {
  const server = slottedServer(USER);
  for (const encoding of ['identity', 'gzip']) {
    const exchange = plainExchange('/a', { ...ANN, 'accept-encoding': encoding });
    for (let turn = 0; turn < 2; turn++) {
      const answer = await server.answer(exchange);
      if (!('content' in answer)) throw new Error('no slots');
      const { content } = answer;
      const whole = Buffer.concat(content.pieces!);
      expect(whole.byteLength).toBe(content.lengthBytes);
      expect(whole.equals((await content.read())!)).toBe(true);
      expect(await content.read()).toBeUndefined();
    }
  }
});

test.each([
  ['without a cookie', {}, 'GET'],
  ['HEAD', ANN, 'HEAD'],
  ['a range', { ...ANN, range: 'bytes=0-9' }, 'GET'],
])('%s gets the page as it is', async (_name, headers, method) => {
  const server = slottedServer(USER);
  const plain = slottedServer({ other: { routes: ['/other'], fill: userOf } });
  for (const each of [server, plain]) await each.read('/a', {});
  const [one, other] = await Promise.all(
    [server, plain].map((each) => each.answer(plainExchange('/a', headers, method))),
  );
  expect(timeless(one!.headers)).toEqual(timeless(other!.headers));
  expect(one).not.toHaveProperty('content');
  expect(server.handler.answer(plainExchange('/a', headers, method))).toBeDefined();
});

test('with a status of earlier middleware the page is sent as it is', async () => {
  const server = slottedServer(USER);
  const answer = await server.answer({ ...plainExchange('/a', ANN), status: 503 });
  expect(answer).not.toHaveProperty('content');
});

test('a prefetch gets slots, unless it would need a render', async () => {
  const fill = vi.fn(userOf);
  const server = slottedServer({ user: { fill } }, { render: { prefetch: false } });
  const prefetch = { ...ANN, 'sec-purpose': 'prefetch' };
  expect((await server.read('/a', prefetch)).status).toBe(503);
  expect(fill).not.toHaveBeenCalled();
  await server.read('/a', {});
  const { slots, header } = await server.read('/a', prefetch);
  expect(slots).toEqual({ user: { user: ANN.cookie } });
  expect(header('cache-control')).toBe('private, no-cache, no-transform');
  expect(server.requests).toHaveLength(1);
});

test('a 304 and an encoding for clients without slots, beside those with', async () => {
  const server = slottedServer(USER);
  const { header } = await server.read('/a', {});
  await server.read('/a');
  expect((await server.read('/a', { 'if-none-match': header('etag')! })).status).toBe(304);
});

test('what is no page is answered as without slots', async () => {
  const server = slottedServer(USER, {}, ({ url }) => {
    if (url.endsWith('/null')) return null;
    if (url.endsWith('/moved'))
      return new Response(null, { status: 301, headers: { ...STORED, location: '/a' } });
    if (url.endsWith('/missing')) return html('missing', STORED, 404);
    if (url.endsWith('/text'))
      return new Response('text', { headers: { ...STORED, 'content-type': 'text/plain' } });
    throw new Error('cracked');
  });
  for (const [target, status] of [
    ['/null', 404],
    ['/moved', 301],
    ['/missing', 404],
    ['/text', 200],
    ['/boom', 500],
  ] as const) {
    for (let turn = 0; turn < 2; turn++) {
      const answer = await server.read(target);
      expect([answer.status, answer.isStreamed]).toEqual([status, false]);
    }
  }
  const text = await server.read('/text', ANN);
  expect(text.header('etag')).toBeDefined();
  expect(
    (await server.read('/text', { ...ANN, 'if-none-match': text.header('etag')! })).status,
  ).toBe(304);
  expect((await server.read('/moved?utm_source=a')).header('location')).toBe('/a?utm_source=a');
});

const LONG = 'long '.repeat(1000);
const ofKind = (status: number, type: string, cacheControl: string) => (): Response =>
  html(LONG, { 'content-type': type, 'cache-control': cacheControl }, status);

test.each<[string, () => Response | null]>([
  ['a rendered 404', ofKind(404, 'text/html', 'no-cache')],
  ['a rendered 404 that must not be stored', ofKind(404, 'text/html', 'no-store')],
  ['a cached 404', ofKind(404, 'text/html', 's-maxage=60')],
  ['a feed', ofKind(200, 'application/rss+xml', 'private, no-cache')],
  ['a cached feed', ofKind(200, 'application/rss+xml', 's-maxage=60')],
  ['the error page of the build', () => null],
  [
    'the error page of the build for a failure',
    () => {
      throw new Error('cracked');
    },
  ],
])('%s is answered as without slots', async (_name, render) => {
  const errorPage = `<html><body>${LONG}</body></html>`;
  const folder = writeBuiltSite({
    'browser/index.csr.html': '<html></html>',
    'browser/404.html': errorPage,
    'browser/500.html': errorPage,
  });
  const servers = [USER, { other: { routes: ['/other'], fill: userOf } }].map((slots) =>
    slottedServer(slots, { files: { folder } }, render),
  );
  const ask = async (headers: Record<string, string>): Promise<Answer> => {
    const [one, other] = await Promise.all(
      servers.map((server) => server.answer(plainExchange('/feed', headers))),
    );
    expect(one).not.toHaveProperty('content');
    const [alone, plain] = [one, other].map((each) => ({
      ...each,
      headers: timeless(each!.headers),
      error: undefined,
    }));
    expect(alone).toEqual(plain);
    return one as Answer;
  };
  for (const cookie of [{}, ANN]) {
    for (const encoding of ['gzip', 'br', 'identity', 'identity;q=0, *;q=0']) {
      const accepted = { ...cookie, 'accept-encoding': encoding };
      for (let turn = 0; turn < 2; turn++) {
        const etag = headerOf(await ask(accepted), 'etag');
        const { status } = await ask({ ...accepted, 'if-none-match': etag ?? '"none"' });
        if (etag !== undefined && encoding === 'gzip') expect([304, 404]).toContain(status);
      }
    }
  }
});

test('a page in no encoding that the client accepts is a 406, for which nothing is filled', async () => {
  let fills = 0;
  const server = slottedServer({ cart: { fill: () => ++fills } });
  const refused = { ...ANN, 'accept-encoding': 'identity;q=0, *;q=0' };
  expect((await server.read('/a', refused)).status).toBe(406);
  expect(fills).toBe(0);
  expect((await server.read('/a')).slots).toEqual({ cart: 1 });
});

test('routes and when select slots', async () => {
  const asked: string[] = [];
  const server = slottedServer({
    cart: { routes: ['/shop/**', '/cart'], fill: () => 1 },
    name: {
      routes: ['/shop/:id'],
      when: ({ headers }) => headers.get('x-user') === 'ann',
      fill: () => 2,
    },
    broken: {
      routes: ['/broken'],
      when: ({ url }) => {
        asked.push(url);
        throw new Error('cracked');
      },
      fill: () => 3,
    },
  });
  const slotsOf = async (target: string, headers: Record<string, string>): Promise<unknown> =>
    (await server.read(target, headers)).slots;
  expect(await slotsOf('/shop', ANN)).toEqual({ cart: 1 });
  expect(await slotsOf('/shop/a?b=1', { ...ANN, 'x-user': 'ann' })).toEqual({ cart: 1, name: 2 });
  expect(await slotsOf('/shop/a', { 'x-user': 'ann' })).toEqual({ name: 2 });
  expect(await slotsOf('/shop/a/b', { 'x-user': 'ann' })).toEqual({});
  expect(await slotsOf('/broken', ANN)).toEqual({});
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_SLOT_FAILED']);
  expect(asked).toEqual(['http://localhost/broken']);
});

test('slots may write the same routes in different ways', async () => {
  const files = { 'browser/index.csr.html': '<base href="/shop/"><body></body>' };
  const routes = ['/products/:id', '/products/*', '/shop/products/*'];
  const fill = (): number => 1;
  const server = slottedServer(
    Object.fromEntries([
      ...routes.map((route, at) => [`a${at}`, { routes: [route], fill }]),
      ['all', { routes, fill }],
    ]),
    { files: { folder: writeBuiltSite(files) } },
  );
  expect((await server.read('/shop/products/1')).slots).toEqual({ a0: 1, a1: 1, a2: 1, all: 1 });
  expect((await server.read('/shop/products/1/2')).slots).toEqual({});
});

test('a when that needs a real Request gets one, and so does fill', async () => {
  const given: Request[] = [];
  const server = slottedServer({
    real: {
      when: (request) => new Request(request).headers.get('cookie') === ANN.cookie,
      fill: (request) => new Request(request).url,
    },
    light: {
      when: (request) => given.push(request) > 0,
      fill: (request) => (given.push(request), request.clone().headers.get('cookie')),
    },
    broken: {
      when: () => {
        throw new TypeError('cracked');
      },
      fill: () => 1,
    },
  });
  for (let turn = 0; turn < 2; turn++) {
    const { slots } = await server.read('/a');
    expect(slots).toEqual({ real: 'http://localhost/a', light: ANN.cookie });
  }
  expect(given.every((each) => each instanceof Request)).toBe(true);
  expect(server.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/the slot broken of .*when failed/),
  ]);
});

test('the context of a fill can be copied, and its signal is aborted whenever it is read', async () => {
  const contexts: FillContext[] = [];
  const fill: SlotOptions['fill'] = (_request, context) => {
    contexts.push(context);
    const { signal, requestContext } = { ...context };
    expect([signal instanceof AbortSignal, signal.aborted, requestContext]).toEqual([
      true,
      false,
      7,
    ]);
    return 1;
  };
  const late: SlotOptions['fill'] = (_request, context) => (contexts.push(context), never());
  const server = slottedServer({ a: { fill }, late: { fill: late, timeoutMs: 5 } });
  await readAnswer(await server.answer(plainExchange('/a', ANN), 7));
  expect(contexts.map(({ signal }) => signal.aborted)).toEqual([false, true]);
});

test('what middleware has changed of a request decides about its slots', async () => {
  const server = slottedServer({
    user: {
      when: ({ headers }) => headers.has('x-user'),
      fill: ({ headers }) => headers.get('x-user'),
    },
  });
  await server.read('/a', {});
  for (const [before, after] of [
    [{}, { 'x-user': 'ann' }],
    [{ 'x-user': 'ann' }, { 'x-user': 'bob' }],
    [{ 'x-user': 'ann' }, {}],
  ] as const) {
    const first = plainExchange('/a', before);
    server.handler.answer(first);
    const { parsedRequest } = first;
    const answer = await server.answer({ ...plainExchange('/a', after), parsedRequest });
    const { slots } = await readAnswer(answer);
    expect(slots).toEqual('x-user' in after ? { user: after['x-user'] } : {});
  }
});

test('paths keep their slots, however many are asked for', async () => {
  const server = slottedServer({ a: { routes: ['/a/**'], fill: ({ url }) => url } });
  const long = `/a/${'b'.repeat(300)}`;
  for (let turn = 0; turn < 2; turn++) {
    for (const target of [
      long,
      ...Array.from({ length: 1100 }, (_, at) => `/${at % 2 ? 'a' : 'b'}/${at}`),
    ]) {
      const wanted = await server.read(target, { ...ANN, 'if-match': 'none' });
      expect(wanted.slots).toEqual(
        target.startsWith('/a') ? { a: `http://localhost${target}` } : {},
      );
    }
  }
});

test('a when that returns a promise is an error, and its rejection is handled', async () => {
  const when = (() => Promise.reject(new Error('away'))) as unknown as () => boolean;
  const server = slottedServer({ cart: { when, fill: () => 1 } });
  expect((await server.read('/a')).slots).toEqual({});
  expect(server.errors).toMatchObject([{ code: 'NG_SSR_SLOT_FAILED' }]);
  expect(String(server.errors[0]!.cause)).toContain(
    'when returned a promise; allowed: a boolean, synchronously',
  );
});

test('the page goes out at once, and slots as they arrive', async () => {
  const server = slottedServer({
    slow: { fill: () => later(60, 'slow') },
    now: { fill: async () => 'now' },
    soon: { fill: () => later(20, 'soon') },
  });
  await server.read('/a', {});
  // The second response has nothing of the first.
  for (let turn = 0; turn < 2; turn++) {
    const { pieces, slots } = await server.read('/a');
    const texts = pieces.map((piece) => Buffer.from(piece).toString());
    expect(texts).toHaveLength(3);
    expect(texts[0]).toMatch(/render 1<\/p><script [^>]*"now">"now"\n<\/script>$/);
    expect(texts[1]).toMatch(/^<script [^>]*"soon">"soon"\n<\/script>$/);
    expect(texts[2]).toMatch(/^<script [^>]*"slow">"slow"\n<\/script><\/body><\/html>$/);
    expect(Object.keys(slots)).toEqual(['now', 'soon', 'slow']);
  }
});

test('slots that are there at once come with the page, in one piece', async () => {
  const server = slottedServer({ a: { fill: () => 1 }, b: { fill: async () => 2 } });
  await server.read('/a', {});
  expect((await server.read('/a')).pieces).toHaveLength(1);
});

test('encodings: the page is compressed once, and slots are not', async () => {
  const token = 'a-token-that-nobody-may-guess';
  const server = slottedServer({ user: { fill: () => token } });
  await server.read('/a', {});
  const pages = [];
  for (let turn = 0; turn < 2; turn++) {
    pages.push(await server.read('/a', { ...ANN, 'accept-encoding': 'gzip' }));
  }
  for (const { header, slots, pieces } of pages) {
    expect(header('content-encoding')).toBe('gzip');
    expect(slots).toEqual({ user: token });
    expect(Buffer.from(pieces[0]!).includes(token)).toBe(true);
    expect(Buffer.concat(pieces).length).toBeLessThan(500);
  }
});

test('adapters see that it is of one client, also after finish of a feature', async () => {
  const finish: Feature = {
    name: 'plain',
    install: () => ({
      finish: (answer) => {
        const headers = [...answer.headers, 'x-plain', '1'];
        const parts = 'body' in answer ? { body: answer.body } : { content: answer.content };
        return { status: answer.status, headers, ...parts } as never;
      },
    }),
  };
  for (const features of [[], [finish]]) {
    const server = slottedServer(USER, { features });
    expect((await server.read('/a')).isPersonal).toBe(true);
    expect((await server.read('/a', {})).isPersonal).toBe(false);
  }
});

test('a finish of a feature makes no response with slots public', async () => {
  const lines = ['Cache-Control', 'public, max-age=60', 'ETag', '"a"', 'Surrogate-Control', 'a'];
  const features: Feature[] = [true, false].map((isAdding) => ({
    name: `public-${isAdding}`,
    install: () => ({
      finish: (answer) => ({
        ...answer,
        headers: isAdding ? [...lines, ...answer.headers] : lines,
      }),
    }),
  }));
  for (const feature of features) {
    const { header, slots } = await slottedServer(USER, { features: [feature] }).read('/a');
    expect(slots).toEqual({ user: { user: ANN.cookie } });
    expect(header('cache-control')).toBe('private, no-cache, no-transform');
    expect(header('vary')).toMatch(/Cookie/);
    for (const absent of ['etag', 'surrogate-control']) expect(header(absent)).toBeUndefined();
  }
});

test('another site learns nothing of lengths', async () => {
  const server = slottedServer(USER);
  const foreign = { ...ANN, 'accept-encoding': 'gzip', 'sec-fetch-site': 'cross-site' };
  expect((await server.read('/a', foreign)).header('content-encoding')).toBeUndefined();
});

test('a private page keeps its headers, and has slots', async () => {
  const server = slottedServer(USER, {}, () =>
    html('a', {
      'content-type': 'text/html',
      'cache-control': 'private, no-store',
      'set-cookie': 'a=1',
    }),
  );
  const page = await server.read('/a');
  expect(page.header('cache-control')).toBe('private, no-store, no-transform');
  expect(page.header('set-cookie')).toBe('a=1');
  expect(page.slots).toEqual({ user: { user: ANN.cookie } });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const circular: { self?: unknown } = {};
circular.self = circular;

it.each<[string, SlotOptions['fill']]>([
  [
    'throws',
    () => {
      throw new Error('cracked');
    },
  ],
  ['rejects', () => Promise.reject(new Error('cracked'))],
  ['rejects with a value that throws', () => Promise.reject(revoked())],
  ['returns nothing', () => undefined],
  ['returns a BigInt', async () => 1n],
  ['returns a circle', () => circular],
  ['hangs', never],
])('a fill that %s: the fallback stays, and the response ends', async (_name, fill) => {
  let signal: AbortSignal | undefined;
  const server = slottedServer({
    other: { fill: () => later(5, 1) },
    cart: {
      fill: (request, context) => {
        ({ signal } = context);
        return fill!(request, context);
      },
      timeoutMs: 30,
    },
  });
  const { slots, text } = await server.read('/a');
  expect(slots).toEqual({ other: 1 });
  expect(text).toMatch(/<\/body><\/html>$/);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_SLOT_FAILED']);
  expect(server.errors[0]!.message).toMatch(/^the slot cart of \/a keeps its fallback: /);
  expect(signal?.aborted).toBe(true);
});

test.each([
  ['undefined', undefined, 'a value of type undefined is not JSON'],
  ['long data', 'a'.repeat(1_000_001), 'allowed: 1000000'],
])(
  'a fill that returns %s: the error says that it cannot be sent, and why',
  async (_, data, why) => {
    const server = slottedServer({ cart: { fill: () => data } });
    await server.read('/a');
    expect(server.errors[0]!.message).toMatch(/fill returned a value that cannot be sent as JSON$/);
    expect(String(server.errors[0]!.cause)).toContain(why);
  },
);

test('a client that leaves: signals are aborted, and nothing is reported', async () => {
  const contexts: FillContext[] = [];
  const wait = (_: Request, context: FillContext): Promise<unknown> => {
    contexts.push(context);
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(new Error('left')));
    });
  };
  const server = slottedServer({ a: { fill: wait }, b: { fill: wait }, c: { fill: () => 1 } });
  const answer = await server.answer(plainExchange('/a', ANN), 'the context');
  if (!('content' in answer)) throw new Error('no slots');
  await answer.content.read();
  const reading = answer.content.read();
  await answer.content.close();
  expect(await reading).toBeUndefined();
  expect(await answer.content.read()).toBeUndefined();
  expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(contexts[0]!.requestContext).toBe('the context');
  await later(5, undefined);
  expect(server.errors).toEqual([]);
});

test('a fill that ends after its time changes nothing, and no other is reported', async () => {
  const server = slottedServer({
    a: { fill: () => later(40, 1), timeoutMs: 10 },
    b: { fill: () => later(30, 1).then(() => Promise.reject(new Error('late'))), timeoutMs: 10 },
    c: { fill: () => 2, timeoutMs: 10 },
  });
  expect((await server.read('/a')).slots).toEqual({ c: 2 });
  await later(50, undefined);
  expect(server.errors).toHaveLength(2);
});

test('stored bytes and copies have nothing of a client', async () => {
  const server = slottedServer({ user: { fill: () => 'a-secret' } });
  await server.read('/a', { ...ANN, 'accept-encoding': 'gzip' });
  const plain = await server.read('/a', {});
  expect(plain.text).not.toContain('a-secret');
  expect(plain.header('cache-control')).toBe(STORED['cache-control']);
  expect(server.requests.map(({ headers }) => headers.get('cookie'))).not.toContain('a-secret');
});

test('endpoints and files that are no pages have no slots', async () => {
  const folder = writeBuiltSite({ 'browser/main.js': 'a' });
  const endpoint = {
    matches: ({ path }: { readonly path: string }) => path === '/admin',
    answer: async () => ({
      status: 200,
      headers: ['Content-Type', 'text/html'],
      body: Buffer.from('a'),
    }),
    says: () => ({ answer: 'server' as const, status: 200, reasons: [] }),
  };
  const operators = { name: 'admin', install: () => ({ endpoints: [endpoint] }) };
  const server = slottedServer(USER, { files: { folder }, features: [operators] });
  expect((await server.read('/admin')).isStreamed).toBe(false);
  expect(server.handler.answer(plainExchange('/main.js', ANN))).toBeDefined();
});

test('an adapter that sends whole answers only sends pages as they are', async () => {
  const folder = writeBuiltSite({ 'browser/about/index.html': prerendered('about') });
  const server = slottedServer(USER, { files: { folder } });
  for (const target of ['/a', '/a', '/about']) {
    const page = await readAnswer((await server.handler.render(plainExchange(target, ANN)))!);
    expect([page.status, page.slots]).toEqual([200, {}]);
  }
  expect(server.requests).toHaveLength(1);
});

test('signals have no listeners left of a slot that was filled', async () => {
  vi.useRealTimers();
  let signal: AbortSignal | undefined;
  const server = slottedServer({
    a: {
      fill: (_, context) => {
        ({ signal } = context);
        return 1;
      },
    },
  });
  await server.read('/a');
  expect(signal?.aborted).toBe(false);
  expect(getEventListeners(signal!, 'abort').length).toBeLessThanOrEqual(1);
});

test.each<[unknown, string]>([
  [undefined, 'withSlots is missing'],
  [{}, 'withSlots is {} (object); allowed: an object of slots by name'],
  [{ '"': { fill: () => 1 } }, 'the key must be a name that begins with a letter'],
  [{ cart: () => 1 }, 'withSlots["cart"] is'],
  [{ cart: {} }, 'withSlots["cart"].fill is missing; allowed: a function'],
  [{ cart: { fill: () => 1, rout: [] } }, 'Did you mean withSlots["cart"].routes?'],
  [{ cart: { fill: () => 1, routes: ['shop'] } }, 'withSlots["cart"].routes is ["shop"] (list)'],
  [{ cart: { fill: () => 1, routes: ['/a?b'] } }, 'withSlots["cart"].routes is'],
  [{ cart: { fill: () => 1, when: async () => true } }, 'allowed: a synchronous function'],
  [{ cart: { fill: () => 1, timeoutMs: 0 } }, 'allowed: a whole number from 1 to 60000'],
])('options that are wrong: %j', (given, message) => {
  const create = (): unknown => slottedServer(given as Record<string, SlotOptions>);
  expect(create).toThrow(message);
});

test('explain says which slots a request gets, and why it does not get others of its page', async () => {
  const features = [
    withSlots({
      cart: { routes: ['/a'], fill: () => 1 },
      name: { fill: () => 2 },
      team: { routes: ['/c'], when: ({ headers }) => headers.has('x-team'), fill: () => 3 },
    }),
  ];
  const server = inspectedServer(undefined, { features });
  const reasonsOf = async (url: string, headers?: object): Promise<string> => {
    const { text } = await server.inspect('/explain', {
      method: 'POST',
      content: { url, headers },
    });
    return (JSON.parse(text) as { reasons: string[] }).reasons.join(' ');
  };
  const sentence = 'The data of these slots follows the page:';
  expect(await reasonsOf('/a', ANN)).toContain(`${sentence} cart, name.`);
  expect(await reasonsOf('/b', ANN)).toContain(`${sentence} name.`);
  expect(await reasonsOf('/a')).not.toContain(sentence);
  expect(await reasonsOf('/a')).toContain('keeps the fallback of these slots: cart, name.');
  const team = 'Their `when` returned false or failed, so the page keeps the fallback';
  expect(await reasonsOf('/c', ANN)).toContain(`${sentence} name. ${team} of these slots: team.`);
  expect(await reasonsOf('/c', { ...ANN, 'x-team': '1' })).toContain(`${sentence} name, team.`);
  expect(await reasonsOf('/b', { 'x-team': '1' })).not.toContain('team');
  const part = await reasonsOf('/a', { ...ANN, range: 'bytes=0-9' });
  expect(part).toContain('A request for a range does not get these slots: cart, name.');
  expect(part).not.toContain(sentence);
});

test('a page with a nonce for each response has slots too', async () => {
  const placeholder = 'bm9uY2UtaGVyZQ';
  const script = `<script src="main-A.js" type="module" nonce="${placeholder}"></script>`;
  const folder = writeBuiltSite({
    'browser/index.html': `<html ng-server-context="ssg"><body>${'<p>a</p>'.repeat(300)}${script}</body></html>`,
  });
  const features = [withNonce({ placeholder, policy: `script-src 'nonce-${placeholder}'` })];
  const server = slottedServer(USER, { files: { folder }, features });
  const nonces = new Set<string>();
  for (let turn = 0; turn < 3; turn++) {
    const page = await server.read('/', { ...ANN, 'accept-encoding': 'gzip' });
    const [, nonce = ''] = /<script async src="main-A.js" type="module" nonce="([^"]+)">/.exec(
      page.text,
    )!;
    expect(page.header('content-security-policy')).toBe(`script-src 'nonce-${nonce}'`);
    expect(page.header('cache-control')).toBe('private, no-store, no-transform');
    expect(page.slots).toEqual({ user: { user: ANN.cookie } });
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test('other features of caches leave a response with slots alone', async () => {
  const edge: Edge = {
    name: 'an edge',
    settleMs: 0,
    headersOf: () => ['CDN-Cache-Control', 'max-age=60', 'Cache-Tag', 'a'],
    noStoreHeaders: ['CDN-Cache-Control', 'no-store'],
    purge: async () => undefined,
  };
  const features = [withEdge(edge), withDictionaries()];
  const server = slottedServer(USER, { features });
  await server.read('/', {});
  const plain = await server.read('/', {});
  expect(plain.header('cdn-cache-control')).toBe('max-age=60');
  const page = await server.read('/', { ...ANN, 'available-dictionary': ':a:' });
  for (const name of ['cdn-cache-control', 'cache-tag', 'use-as-dictionary']) {
    expect(page.header(name), name).toBeUndefined();
  }
  expect(page.slots).toEqual({ user: { user: ANN.cookie } });
});

/** Headers without the values that the second of a render decides. */
function timeless(headers: readonly string[]): readonly string[] {
  return headers.map((value, at) => {
    const name = at % 2 === 1 ? headers[at - 1]!.toLowerCase() : '';
    return ['date', 'age'].includes(name) ? '' : value.replace(/; ttl=-?\d+$/, '');
  });
}
