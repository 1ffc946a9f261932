import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { toH3 } from '@ng-ssr/fetch/h3';
import { toHono } from '@ng-ssr/fetch/hono';
import {
  createFetchSsrHandler,
  type FetchSsrHandler,
  type FetchSsrOptions,
  shutDownOnSignals,
} from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { H3, type Middleware, onResponse, toNodeHandler } from 'h3';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { expect, onTestFinished, test } from 'vitest';
import {
  expectPrivate,
  FOR_CACHES,
  hangingSite,
  slottedSite,
  SOON,
} from '../../node/test/private-slots.ts';

const HEADERS = Object.entries(FOR_CACHES);

function setAll(headers: Headers): void {
  for (const [name, value] of HEADERS) headers.set(name, value);
}

function hono(middleware: MiddlewareHandler, options: FetchSsrOptions<[Context]>): RequestListener {
  const pages = toHono<Context>(createFetchSsrHandler(options));
  const app = new Hono().onError((_error, c) => c.text('failed', 500));
  app.use(middleware, pages.answer).all('*', pages.render);
  return getRequestListener(app.fetch);
}

function h3(middleware: Middleware, options: FetchSsrOptions): RequestListener {
  const pages = toH3(createFetchSsrHandler(options));
  const app = new H3({ silent: true }).use(middleware).use(pages.answer as Middleware);
  return toNodeHandler(app.all('/**', pages.render as never)) as RequestListener;
}

async function listen(listener: RequestListener, ssr?: FetchSsrHandler): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  // Elysia does not show the port of a request: the handler has it of its server.
  if (ssr !== undefined) onTestFinished(shutDownOnSignals(server, ssr, false));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const afterHono: Readonly<Record<string, (c: Context) => void>> = {
  'c.header': (c) => HEADERS.forEach(([name, value]) => c.header(name, value)),
  'c.res.headers': (c) => {
    c.res.headers.delete('cache-control');
    setAll(c.res.headers);
  },
  'a Response around the page': (c) => {
    c.res = new Response(c.res.body, c.res);
    setAll(c.res.headers);
  },
  'a Response with other headers': (c) => {
    const { body } = c.res;
    c.res = undefined;
    c.res = new Response(body, { headers: FOR_CACHES });
  },
};

for (const [name, after] of Object.entries(afterHono)) {
  test(`Hono: ${name} leaves a page with slots private`, async () => {
    const middleware: MiddlewareHandler = async (c, next) => {
      await next();
      after(c);
    };
    await expectPrivate(await listen(hono(middleware, slottedSite())));
  });
}

const afterH3: Readonly<Record<string, Middleware>> = {
  'headers after next()': async ({ res }, next) => {
    const reply = await next();
    setAll(res.headers);
    return reply;
  },
  'headers of the event in onResponse': onResponse((_response, { res }) => setAll(res.headers)),
  'headers of the Response in onResponse': onResponse(({ headers }) => setAll(headers)),
};

for (const [name, middleware] of Object.entries(afterH3)) {
  test(`h3: ${name} leave a page with slots private`, async () => {
    await expectPrivate(await listen(h3(middleware, slottedSite())));
  });
}

test('h3: a page with slots that is rendered twice for an event is private', async () => {
  const pages = toH3(createFetchSsrHandler(slottedSite()));
  const app = new H3({ silent: true })
    .use(pages.answer as Middleware)
    .use(onResponse((_response, { res }) => setAll(res.headers)))
    .all('/**', async (event) => {
      await pages.render(event);
      return pages.render(event);
    });
  await expectPrivate(await listen(toNodeHandler(app) as RequestListener));
});

const OWN = { ...FOR_CACHES, 'x-own': '1' };

const afterElysia: Readonly<Record<string, (set: { headers: object }) => void>> = {
  'headers that are set': (set) => void Object.assign(set.headers, OWN),
  'headers that replace all others': (set) => void (set.headers = OWN),
  'headers that are defined': (set) => {
    const given = Object.getOwnPropertyDescriptors(OWN);
    Object.defineProperties(set.headers, given);
  },
};

for (const [name, after] of Object.entries(afterElysia)) {
  test(`Elysia: ${name} in onAfterHandle leave a page with slots private`, async () => {
    const ssr = createFetchSsrHandler(slottedSite());
    const pages = toElysia(ssr);
    const app = new Elysia()
      .onRequest(pages.answer)
      .onAfterHandle(({ set }) => after(set))
      .onAfterHandle(({ responseValue }) => setAll((responseValue as Response).headers))
      .all('/*', pages.render, { parse: 'none' });
    const origin = await listen(
      getRequestListener((request) => app.handle(request)),
      ssr,
    );
    await expectPrivate(origin);
    const response = await fetch(`${origin}/page`, { headers: { cookie: 'a=b' } });
    expect(response.headers.get('x-own')).toBe('1');
  });
}

const handlers: Readonly<Record<string, (options: FetchSsrOptions) => RequestListener>> = {
  'the handler': (options) => getRequestListener(createFetchSsrHandler(options)),
  'Hono, where middleware wraps the content': (options) =>
    hono(async (c, next) => {
      await next();
      c.res = new Response(c.res.body!.pipeThrough(new TransformStream()), c.res);
    }, options),
  'Hono, where etag() reads the page first': (options) => hono(etag(), options),
  h3: (options) => h3((_event, next) => next(), options),
};

for (const [name, create] of Object.entries(handlers)) {
  test(
    `${name}: fills are aborted when their client leaves`,
    async () => {
      const { begun, aborted, options } = hangingSite();
      const origin = await listen(create(options));
      const leaving = new AbortController();
      const { signal } = leaving;
      const response = fetch(`${origin}/page`, { headers: { cookie: 'a=b' }, signal });
      response.catch(() => undefined);
      await begun;
      // The page itself comes at once, unless middleware waits for the whole of it.
      if (!name.includes('etag')) await (await response).body!.getReader().read();
      leaving.abort();
      await aborted;
    },
    SOON,
  );
}

test(
  'fills are aborted if middleware of Hono throws after the page',
  async () => {
    const { aborted, options } = hangingSite();
    const throwing: MiddlewareHandler = async (_c, next) => {
      await next();
      throw new Error('no');
    };
    const origin = await listen(hono(throwing, options));
    const response = await fetch(`${origin}/page`, { headers: { cookie: 'a=b' } });
    expect([response.status, await response.text()]).toEqual([500, 'failed']);
    await aborted;
  },
  SOON,
);

test('an error page of Hono after a page with slots is whole, even if middleware wraps it', async () => {
  const pages = toHono<Context>(createFetchSsrHandler(slottedSite()));
  const app = new Hono().onError(({ message }, c) => c.text(message, 500));
  app.use(async (c, next) => {
    await next();
    c.res = new Response(c.res.body, c.res);
  });
  app.use(async (_c, next) => {
    await next();
    throw new Error('of the middleware');
  });
  app.use(pages.answer).all('*', pages.render);
  const origin = await listen(getRequestListener(app.fetch));
  const response = await fetch(`${origin}/page`, { headers: { cookie: 'a=b' } });
  expect([response.status, await response.text()]).toEqual([500, 'of the middleware']);
});

test('an error page of Hono after a page has no header of it for its content or for caches', async () => {
  const pages = toHono<Context>(createFetchSsrHandler(slottedSite()));
  const app = new Hono().onError(({ message }, c) => c.json(message, 500, { etag: '"own"' }));
  app.use(async (_c, next) => {
    await next();
    throw new Error('of the middleware');
  });
  app.use(pages.answer).all('*', pages.render);
  const origin = await listen(getRequestListener(app.fetch));
  // The first is rendered, the second a hit.
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`${origin}/page`);
    expect([response.status, await response.json()]).toEqual([500, 'of the middleware']);
    const ofPage = [
      'content-encoding',
      'cache-control',
      'cdn-cache-control',
      'last-modified',
      'age',
    ];
    expect(ofPage.filter((name) => response.headers.has(name))).toEqual([]);
    expect(response.headers.get('etag')).toBe('"own"');
  }
});

type Pages = ReturnType<typeof toHono<Context>>;

/** The second response for a page of an app of Hono. */
async function secondOf(
  options: FetchSsrOptions<[Context]>,
  build: (app: Hono, pages: Pages) => unknown,
): Promise<Response> {
  const app = new Hono();
  build(app, toHono<Context>(createFetchSsrHandler(options)));
  const origin = await listen(getRequestListener(app.fetch));
  await (await fetch(`${origin}/page`, { redirect: 'manual' })).arrayBuffer();
  return fetch(`${origin}/page`, { redirect: 'manual' });
}

const failing: MiddlewareHandler = async (_c, next) => {
  await next();
  throw new Error('of the middleware');
};

/** A site whose pages have these headers. */
const siteOf = (headers: Record<string, string>, status = 200): FetchSsrOptions => ({
  ...slottedSite(),
  engine: () => new Response(status === 200 ? 'page' : null, { status, headers }),
});

test('Hono: a response that takes the place of a page has no earlier headers, if c.res was cleared', async () => {
  const { headers } = await secondOf(slottedSite(), (app, pages) => {
    app.use(async (c, next) => {
      c.header('x-own', 'earlier');
      await next();
      const { body } = c.res;
      c.res = undefined;
      c.res = new Response(body, { headers: { 'x-own': 'later' } });
    });
    app.use(pages.answer).all('*', pages.render);
  });
  expect(headers.get('x-own')).toBe('later');
});

test('Hono: a page as the answer to an error keeps its headers, if middleware changes its content', async () => {
  const page = siteOf({ 'cache-control': 'no-cache', etag: '"page"' });
  const response = await secondOf(page, (app, pages) => {
    app.onError((_error, c) => pages.render(c));
    app.use(async (c, next) => {
      await next();
      c.res = new Response((await c.res.text()).toUpperCase(), c.res);
    });
    app.use(pages.answer).get('*', () => {
      throw new Error('of a route');
    });
  });
  expect(await response.text()).toBe('PAGE');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test('Hono: a redirect of an error page has no cache headers of a redirect of the page', async () => {
  const page = siteOf({ location: '/there', 'cache-control': 's-maxage=60' }, 302);
  const { status, headers } = await secondOf(page, (app, pages) => {
    app.onError((_error, c) => c.redirect('/error'));
    app.use(failing, pages.answer).all('*', pages.render);
  });
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
    302,
    '/error',
    null,
  ]);
});

test('Hono: an error page keeps a no-store that the page had too, and a policy of middleware', async () => {
  const control = { 'cache-control': 'private, no-store' };
  const { headers } = await secondOf(siteOf(control), (app, pages) => {
    app.onError((_error, c) => c.text('gone', 410, control));
    app.use(async (c, next) => {
      c.header('content-security-policy', "default-src 'self'");
      await next();
    });
    app.use(failing, pages.answer).all('*', pages.render);
  });
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('content-security-policy')).toBe("default-src 'self'");
});
