import { setTimeout as delay } from 'node:timers/promises';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { toH3 } from '@ng-ssr/fetch/h3';
import { toHono } from '@ng-ssr/fetch/hono';
import { createFetchSsrHandler, type FetchSsrHandler } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { H3 } from 'h3';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { countParsed } from '../../node/test/count-parsed.ts';

/** User code that gets the Request after it was looked up, and may replace it. */
type Rewrite = (request: Request) => Request | void;
type Ask = (request: Request) => Response | Promise<Response>;

const frameworks: Readonly<Record<string, (ssr: FetchSsrHandler, rewrite: Rewrite) => Ask>> = {
  Hono: (ssr, rewrite) => {
    const pages = toHono(ssr);
    const app = new Hono().use(pages.answer);
    app.use(async (c, next) => {
      c.req.raw = rewrite(c.req.raw) ?? c.req.raw;
      await next();
    });
    app.all('*', pages.render);
    return (request) => app.fetch(request);
  },
  h3: (ssr, rewrite) => {
    const pages = toH3(ssr);
    const app = new H3().use(pages.answer);
    app.use((event) => {
      const replaced = rewrite(event.req);
      if (replaced === undefined) return;
      Object.assign(event, { req: replaced, url: new URL(replaced.url) });
    });
    app.all('/**', pages.render);
    return (request) => app.fetch(request);
  },
  Elysia: (ssr, rewrite) => {
    const pages = toElysia(ssr);
    const app = new Elysia().onRequest(pages.answer);
    app.all('/*', (context) => {
      const request = rewrite(context.request) ?? context.request;
      return pages.render({ ...context, request });
    });
    return (request) => app.handle(request);
  },
  'the two halves': (ssr, rewrite) => (request) =>
    ssr.answer(request) ?? ssr.render(rewrite(request) ?? request),
};

/** Echoes what was asked for. The application has no page `/nobody`. */
function echo({ url, headers }: Request): Response | null {
  if (url.endsWith('/nobody')) return null;
  return new Response(`${url} ${headers.get('x-tenant') ?? '-'}`, {
    headers: { 'cache-control': 's-maxage=60', vary: 'x-tenant' },
  });
}

function createSsr(): FetchSsrHandler {
  return createFetchSsrHandler({
    engine: echo,
    allowedHosts: ['a.example', 'b.example'],
    trustProxyHeaders: ['x-forwarded-host'],
    onError: () => undefined,
  });
}

const REWRITES: Readonly<Record<string, readonly [rewrite: Rewrite, page: string]>> = {
  'the target': [({ headers }) => new Request('http://a.example/to', { headers }), '/to -'],
  Host: [({ headers }) => headers.set('host', 'b.example'), 'http://b.example/from -'],
  'X-Forwarded-Host': [
    ({ headers }) => headers.set('x-forwarded-host', 'b.example'),
    'http://b.example/from -',
  ],
  'a header of Vary': [({ headers }) => headers.set('x-tenant', 'red'), 'a.example/from red'],
  'the method': [({ url }) => new Request(url, { method: 'POST' }), '405 Method Not Allowed'],
  nothing: [() => undefined, 'http://a.example/from -'],
};

describe.each(Object.entries(frameworks))('%s, after a look-up', (_, toAsk) => {
  test.each(Object.entries(REWRITES))('%s is rewritten', async (_, [rewrite, page]) => {
    let isOn = true;
    const ask = toAsk(createSsr(), (request) => (isOn ? rewrite(request) : undefined));
    const get = async () => (await ask(new Request('http://a.example/from'))).text();
    expect(await get()).toContain(page);
    isOn = false;
    expect(await get()).toBe('http://a.example/from -');
  });

  test('a host that is not allowed is refused', async () => {
    const ask = toAsk(createSsr(), ({ headers }) =>
      headers.set('x-forwarded-host', 'evil.example'),
    );
    expect((await ask(new Request('http://a.example/from'))).status).toBe(400);
  });

  test('a request is read once', async () => {
    const ask = toAsk(createSsr(), () => undefined);
    const get = async (path: string) => (await ask(new Request(`http://a.example${path}`))).text();
    await get('/warm');
    expect(await countParsed(() => get('/miss'))).toBe(1);
    expect(await countParsed(() => get('/nobody'))).toBe(1);
  });

  test('a request is answered twice at a time', async () => {
    const ask = toAsk(createSsr(), () => undefined);
    const request = new Request('http://a.example/from');
    const answers = await Promise.all([ask(request), ask(request)]);
    for (const answer of answers) expect(await answer.text()).toBe('http://a.example/from -');
  });
});

test('both halves have the status of earlier middleware, and of another call of the same request', async () => {
  const ssr = createSsr();
  const request = new Request('http://a.example/from');
  expect(ssr.answer(request, { status: 200 })).toBeUndefined();
  const pages = await Promise.all([ssr.render(request, { status: 404 }), ssr.render(request)]);
  expect(pages.map(({ status }) => status)).toEqual([404, 200]);
});

test('a file is found whose host is decided on between the halves', async () => {
  const ssr = createFetchSsrHandler({
    engine: () => null,
    allowedHosts: async () => true,
    files: { folder: writeBuiltSite({ 'browser/a/index.html': prerendered('page a') }) },
  });
  const request = new Request('http://a.example/a');
  expect(ssr.answer(request)).toBeUndefined();
  await delay(20);
  expect(await (await ssr.render(request)).text()).toContain('page a');
});
