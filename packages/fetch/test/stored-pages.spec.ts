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
  shutDownOnSignals,
} from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { H3, toNodeHandler } from 'h3';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createStoredSite,
  echoPath,
  expectInvalidation,
  expectServerOfStoredPages,
  getFrom,
  PURGE_ENDPOINT,
  PURGE_HEADERS,
} from '../../node/test/stored-site.ts';

const ORIGIN = 'http://127.0.0.1';

test('the handler purges and shows its stored pages, and leaves the shared store', () =>
  expectServerOfStoredPages(
    createFetchSsrHandler,
    async (ssr) => async (target) => (await ssr(new Request(ORIGIN + target))).text(),
  ));

test('a purge counts where Elysia has parsed it', async () => {
  const { options, store } = createStoredSite();
  const pages = toElysia(createFetchSsrHandler(options));
  const app = new Elysia().onRequest(pages.answer).all('/*', pages.render);
  for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
    const request = new Request(ORIGIN + PURGE_ENDPOINT.path, {
      method: 'POST',
      headers: { ...PURGE_HEADERS, 'content-type': type },
      body: '{"tag":"letters"}',
    });
    expect((await app.handle(request)).status, type).toBe(200);
  }
  expect(store.purges).toHaveLength(3);
});

describe('a route that answers a POST with success invalidates its pages', () => {
  /** How routes of a framework answer, by their path. */
  type Ask = (request: Request) => Response | Promise<Response>;
  const frameworks: Readonly<Record<string, (ssr: FetchSsrHandler) => Ask>> = {
    Hono: (ssr) => {
      const pages = toHono(ssr);
      const app = new Hono().use(pages.answer as never);
      app.post('/p', (c) => c.body(null, 204));
      app.post('/made', (c) => c.text('made', 201, { location: '/p' }));
      app.post('/refused', (c) => c.text('no', 403));
      app.post('/thrown', () => {
        throw new Error('thrown');
      });
      app.onError((_error, c) => c.text('failed', 500));
      app.all('*', pages.render as never);
      return (request) => app.fetch(request);
    },
    h3: (ssr) => {
      const pages = toH3(ssr);
      const app = new H3({ silent: true }).use(pages.answer as never);
      app.post('/p', () => ({ done: true }));
      app.post('/made', (event) => {
        event.res.status = 201;
        event.res.headers.set('location', '/p');
        return 'made';
      });
      app.post('/refused', () => new Response('no', { status: 403 }));
      app.post('/thrown', () => {
        throw new Error('thrown');
      });
      app.all('/**', pages.render as never);
      return (request) => app.fetch(request);
    },
    Elysia: (ssr) => {
      const pages = toElysia(ssr);
      const app = new Elysia()
        .onRequest(pages.answer)
        .onAfterHandle(pages.answered)
        .post('/p', () => new Response(null, { status: 204 }))
        .post('/made', ({ set }) => {
          set.status = 'Created';
          set.headers['location'] = '/p';
          return 'made';
        })
        .post('/refused', ({ status }) => status(403, 'no'))
        .post('/thrown', () => {
          throw new Error('thrown');
        })
        .all('/*', pages.render, { parse: 'none' });
      return (request) => app.handle(request);
    },
  };
  for (const [name, createApp] of Object.entries(frameworks)) {
    test(name, async () => {
      const ssr = createFetchSsrHandler(createStoredSite().options);
      const ask = createApp(ssr);
      const send = async (url: string, init?: RequestInit) => ask(new Request(url, init));
      await expectInvalidation(send, ORIGIN);
      for (const [path, isInvalidated] of [
        ['/thrown', false],
        ['/made', true],
      ] as const) {
        const before = await (await send(`${ORIGIN}/p`)).text();
        await send(ORIGIN + path, { method: 'POST' });
        expect((await (await send(`${ORIGIN}/p`)).text()) !== before, path).toBe(isInvalidated);
      }
    });
  }
});

describe('what middleware makes of the URL is the target of hits and of renders', () => {
  /** Where it leads from a path; undefined for what stays. */
  const REWRITTEN: Readonly<Record<string, string>> = { '/old': '/new', '/new': '/newest' };
  const frameworks: Readonly<Record<string, (ssr: FetchSsrHandler) => RequestListener>> = {
    Hono: (ssr) => {
      const pages = toHono(ssr);
      const app = new Hono();
      app.use(async (c, next) => {
        const path = REWRITTEN[c.req.path];
        if (path) c.req.raw = new Request(ORIGIN + path, c.req.raw);
        await next();
      });
      app.use(pages.answer as never).all('*', pages.render as never);
      return getRequestListener(app.fetch);
    },
    h3: (ssr) => {
      const pages = toH3(ssr);
      const app = new H3({ silent: true }).use((event) => {
        const path = REWRITTEN[event.url.pathname];
        if (path) event.url.pathname = path;
      });
      app.use(pages.answer as never).all('/**', pages.render as never);
      return toNodeHandler(app) as RequestListener;
    },
    'h3 with a Request of its runtime': (ssr) => {
      const pages = toH3(ssr);
      const app = new H3({ silent: true }).use((event) => {
        const path = REWRITTEN[event.url.pathname];
        if (path) event.url.pathname = path;
      });
      app.use(pages.answer as never).all('/**', pages.render as never);
      return getRequestListener((request) => app.fetch(new Request(request)));
    },
    Elysia: (ssr) => {
      const pages = toElysia(ssr);
      const app = new Elysia()
        .onRequest((context) => {
          const path = REWRITTEN[new URL(context.request.url).pathname];
          if (path) context.request = new Request(ORIGIN + path, context.request);
        })
        .onRequest(pages.answer)
        .all('/*', pages.render, { parse: 'none' });
      return getRequestListener((request) => app.handle(request));
    },
  };
  for (const [name, createListener] of Object.entries(frameworks)) {
    test(name, async () => {
      const { options } = createStoredSite();
      const ssr = createFetchSsrHandler({ ...options, engine: echoPath });
      const server = createServer(createListener(ssr)).listen(0, '127.0.0.1');
      // A Request that middleware makes does not show the port: the handler has it of its server.
      onTestFinished(shutDownOnSignals(server, ssr, false));
      await once(server, 'listening');
      const get = getFrom((server.address() as AddressInfo).port);
      const pages = [];
      for (const path of ['/old', '/new', '/plain', '/old', '/new']) pages.push(await get(path));
      expect(pages).toEqual(['/new', '/newest', '/plain', '/new', '/newest']);
    });
  }
});

test("a route of h3's reads the content of a request whose URL is rewritten", async () => {
  const { options, store } = createStoredSite();
  const pages = toH3(createFetchSsrHandler(options));
  const app = new H3({ silent: true }).use(({ url }) => {
    if (url.pathname === '/old') url.pathname = '/new';
    if (url.pathname === '/purge') url.pathname = PURGE_ENDPOINT.path;
  });
  app.use(pages.answer as never);
  app.post('/old', (event) => event.req.text());
  app.all('/**', pages.render as never);
  const post = async (path: string, body: string): Promise<Response> =>
    app.fetch(new Request(ORIGIN + path, { method: 'POST', headers: PURGE_HEADERS, body }));
  const response = await post('/old', 'content');
  expect([response.status, await response.text()]).toEqual([200, 'content']);
  expect((await post('/purge', '{"tag":"letters"}')).status).toBe(200);
  expect(store.purges).toHaveLength(2);
});
