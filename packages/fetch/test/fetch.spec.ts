import { getEventListeners, once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SsrError } from '@ng-ssr/core';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { toH3 } from '@ng-ssr/fetch/h3';
import { toHono } from '@ng-ssr/fetch/hono';
import { createFetchSsrHandler, type FetchSsrHandler, toReqHandler } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { H3, handleCors, toNodeHandler as h3ToNodeHandler } from 'h3';
import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { cors } from 'hono/cors';
import { toNodeHandler } from 'srvx/node';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { prerendered } from '../../core/test/built-site.ts';

const ORIGIN = 'https://app.example';
const allowedHosts = ['shop.example'];
const browserFolder = mkdtempSync(join(tmpdir(), 'ng-ssr-fetch-'));
writeFileSync(join(browserFolder, 'index.html'), prerendered('home'.repeat(100)));
writeFileSync(join(browserFolder, 'large.bin'), 'x'.repeat(2_000_000));
afterAll(() => rmSync(browserFolder, { recursive: true }));

const engine = (request: Request) =>
  new URL(request.url).pathname === '/nobody'
    ? null
    : new Response('rendered', {
        headers: [
          ['Set-Cookie', 'page=1'],
          ['Set-Cookie', 'theme=dark'],
          ['Cache-Control', 'public, max-age=60'],
        ],
      });

function createHandler(): FetchSsrHandler {
  return createFetchSsrHandler({ engine, allowedHosts, files: { folder: browserFolder } });
}

function ask(path: string, init?: RequestInit): Request {
  return new Request(`http://shop.example${path}`, init);
}

describe('the whole handler', () => {
  test('leaves no listener on the signal of a request that it has answered', async () => {
    const request = ask('/page', { signal: new AbortController().signal });
    expect(await (await createHandler()(request)).text()).toBe('rendered');
    expect(getEventListeners(request.signal, 'abort')).toEqual([]);
  });

  test('answers what is held without a promise, and renders the rest', async () => {
    const ssr = createHandler();
    const held = ssr(ask('/'));
    expect(held).toBeInstanceOf(Response);
    expect(await (held as Response).text()).toContain('home');
    expect(await (await ssr(ask('/about'))).text()).toBe('rendered');
    expect((await ssr(ask('/nobody'))).status).toBe(404);
    expect((await ssr(ask('/about', { method: 'POST' }))).status).toBe(405);
    expect((await ssr(new Request('http://evil.example/'))).status).toBe(400);
  });

  test('is a reqHandler of the Angular CLI', () => {
    expect(createHandler()).toHaveProperty('__ng_request_handler__', true);
    expect(toReqHandler(() => new Response())).toHaveProperty('__ng_request_handler__', true);
  });

  test('what is done to one response is not on the next', () => {
    const ssr = createHandler();
    ssr.answer(ask('/'))!.headers.set('X-Mine', '1');
    expect(ssr.answer(ask('/'))!.headers.get('x-mine')).toBeNull();
  });

  test('gives requestContext what the runtime gave', async () => {
    const contexts: unknown[] = [];
    const ssr = createFetchSsrHandler({
      allowedHosts,
      engine: (_, context) => {
        contexts.push(context);
        return null;
      },
      requestContext: (request, info: { remote: string }) => [request.method, info.remote],
    });
    await ssr(ask('/about'), { remote: '10.0.0.7' });
    expect(contexts).toEqual([['GET', '10.0.0.7']]);
  });

  test('a requestContext that throws is a 500, reported once', async () => {
    const errors: SsrError[] = [];
    const ssr = createFetchSsrHandler({
      engine,
      allowedHosts,
      onError: (error) => errors.push(error),
      requestContext: () => {
        throw new Error('no session');
      },
    });
    expect((await ssr(ask('/about'))).status).toBe(500);
    expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_HANDLER_FAILED']);
  });

  describe('never throws', () => {
    const create = (hosts: () => readonly string[]): [FetchSsrHandler, () => string[]] => {
      const errors: SsrError[] = [];
      const ssr = createFetchSsrHandler({
        engine: Object.assign(engine.bind(null), { allowedHosts: hosts }),
        files: { folder: browserFolder },
        onError: (error) => errors.push(error),
      });
      return [ssr, () => errors.map(({ code }) => code)];
    };

    test('where an engine names hosts that are none', async () => {
      const [ssr, codes] = create(() => [42 as never]);
      expect((await ssr(ask('/'))).status).toBe(500);
      expect(ssr.answer(ask('/'))!.status).toBe(500);
      expect((await ssr.render(ask('/about'))).status).toBe(500);
      expect(codes()).toEqual(Array(3).fill('NG_SSR_HANDLER_FAILED'));
    });

    test('where middleware has chosen a status that no response has', async () => {
      const [ssr, codes] = create(() => allowedHosts);
      expect(ssr.answer(ask('/'), { status: 99 })!.status).toBe(500);
      expect((await ssr.render(ask('/about'), { status: 99 })).status).toBe(500);
      expect(codes()).toEqual(Array(2).fill('NG_SSR_HANDLER_FAILED'));
    });

    test('where a Request has no URL', async () => {
      const [ssr] = create(() => allowedHosts);
      const request = new Request('http://shop.example/', { headers: { host: 'shop.example' } });
      Object.defineProperty(request, 'url', {
        get() {
          throw new TypeError('Invalid URL');
        },
      });
      expect((await ssr(request)).status).toBe(400);
      expect(ssr.answer(request)!.status).toBe(400);
      expect((await ssr.render(request)).status).toBe(400);
      expect(ssr.probe(request)).toBeUndefined();
    });
  });

  test('refuses unknown options', () => {
    expect(() => createFetchSsrHandler({ engine, allowedHost: [] } as never)).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
    );
    expect(() => createFetchSsrHandler({ engine, requestContext: {} as never })).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }),
    );
  });

  test('with Host, it decides; without, the authority of the URL', () => {
    const ssr = createHandler();
    const named = new Request('http://10.0.0.7/', { headers: { host: 'shop.example:80' } });
    expect(ssr.answer(named)!.status).toBe(200);
    const other = ask('/', { headers: { host: 'evil.example' } });
    expect(ssr.answer(other)!.status).toBe(400);
    expect(ssr.answer(new Request('https://shop.example:443/'))!.status).toBe(200);
    expect(ssr.answer(new Request('https://shop.example:8443/'))!.status).toBe(400);
  });

  test.runIf(process.platform === 'linux')('a client that leaves closes its file', async () => {
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).endsWith('/large.bin');
        } catch {
          return false; // The descriptor that has listed them.
        }
      });
    const response = await createHandler()(ask('/large.bin'));
    // Middleware may drop a response: the file is opened when its content is read.
    await stat(join(browserFolder, 'large.bin'));
    await setImmediate();
    expect(isOpen()).toBe(false);
    const reader = response.body!.getReader();
    await reader.read();
    expect(isOpen()).toBe(true);
    await reader.cancel();
    await expect.poll(isOpen).toBe(false);
  });

  test('a file that becomes shorter while it is sent is an error of the stream, not its end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-fetch-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'large.bin'), 'x'.repeat(2_000_000));
    const errors: string[] = [];
    const ssr = createFetchSsrHandler({
      engine,
      allowedHosts,
      files: { folder },
      onError: ({ code }) => errors.push(code),
    });
    const reader = (await ssr(ask('/large.bin'))).body!.getReader();
    expect((await reader.read()).done).toBe(false);
    truncateSync(join(folder, 'large.bin'), 1000);
    const readAll = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(readAll()).rejects.toThrow('became shorter');
    expect(errors).toHaveLength(1);
  });

  test.each([204, 205, 304])('a page without content is sent with status %s', async (status) => {
    const ssr = createFetchSsrHandler({
      engine: () =>
        new Response(null, { status, headers: { 'X-Own': '1', 'Cache-Control': 's-maxage=60' } }),
      allowedHosts,
      files: { folder: browserFolder },
    });
    // Rendered, and then stored if it may be.
    for (let round = 0; round < 2; round++) {
      const response = await ssr(ask('/changed'));
      expect([response.status, response.body]).toEqual([status, null]);
      expect(response.headers.get('x-own')).toBe('1');
      expect(response.headers.get('content-type')).toBeNull();
    }
  });

  test('a file that is gone since the start is a 404', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-fetch-'));
    writeFileSync(join(folder, 'large.bin'), 'x'.repeat(2_000_000));
    const errors: SsrError[] = [];
    const ssr = createFetchSsrHandler({
      engine,
      allowedHosts,
      files: { folder },
      onError: (error) => errors.push(error),
    });
    rmSync(folder, { recursive: true });
    expect((await ssr(ask('/large.bin'))).status).toBe(404);
    expect(errors).toEqual([]);
  });
});

test('a client that has left before its render begins is not waited for', async () => {
  let renders = 0;
  const ssr = createFetchSsrHandler({
    engine: () => {
      renders++;
      return new Response('rendered');
    },
    allowedHosts,
    files: { folder: browserFolder },
  });
  await ssr(ask('/about', { signal: AbortSignal.abort() }));
  expect(renders).toBe(0);
  await ssr(ask('/about', { signal: new AbortController().signal }));
  expect(renders).toBe(1);
});

test('under h3 the GET route that answers a HEAD has its parameters', async () => {
  const app = new H3();
  const pages = toH3(createHandler());
  app.get('/api/:id', (event) => {
    event.res.headers.set('X-Id', String(event.context.params?.['id']));
    return 'noon';
  });
  app.all('/**', pages.render);
  for (const method of ['GET', 'HEAD']) {
    const response = await app.fetch(ask('/api/7', { method }));
    expect([method, response.status, response.headers.get('x-id')]).toEqual([method, 200, '7']);
  }
});

test('under h3 a hit has the headers of middleware, and keeps its own', async () => {
  const app = new H3();
  const pages = toH3(createHandler());
  app.use(({ res, url }) => {
    res.headers.set('X-Earlier', '1');
    if (url.search !== '') res.headers.set('Content-Type', 'text/plain');
  });
  app.use(pages.answer);
  for (const path of ['/', '/?type', '/']) {
    const { headers } = await app.fetch(ask(path));
    expect([headers.get('x-earlier'), headers.get('content-type')]).toEqual([
      '1',
      'text/html; charset=utf-8',
    ]);
  }
});

test("a scheme that a client forwards is not believed, even where h3's server does", async () => {
  const urls: string[] = [];
  const app = new H3();
  const ssr = createFetchSsrHandler({
    engine: ({ url }) => {
      urls.push(url);
      return new Response('rendered');
    },
    allowedHosts,
    files: { folder: browserFolder },
  });
  app.all('/**', toH3(ssr).render);
  const listener = toNodeHandler(app.fetch, { trustProxy: true }) as RequestListener;
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const headers = { host: 'shop.example', 'x-forwarded-proto': 'https' };
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', path: '/about', headers, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  expect([response.statusCode, urls]).toEqual([200, ['http://shop.example/about']]);
});

/** Each sets two cookies, CORS, and a Cache-Control; guards /admin; has a route and a status. */
const apps: Record<string, (ssr: FetchSsrHandler) => (request: Request) => unknown> = {
  Hono(ssr) {
    const app = new Hono();
    const pages = toHono(ssr);
    app.use(cors({ origin: ORIGIN }));
    app.use(async (c, next) => {
      setCookie(c, 'a', '1');
      setCookie(c, 'b', '2');
      if (c.req.header('x-lifetime')) c.header('Cache-Control', 'private');
      if (c.req.header('x-down')) c.status(503);
      if (c.req.path === '/admin') return c.text('no', 401);
      await next();
      c.header('X-After', '1');
    });
    app.use(pages.answer);
    app.get('/api/time', (c) => c.text('noon'));
    app.all('*', pages.render);
    return app.fetch;
  },
  h3(ssr) {
    const app = new H3();
    const pages = toH3(ssr);
    app.use(async (event, next) => {
      handleCors(event, { origin: [ORIGIN] });
      const { headers } = event.res;
      headers.append('Set-Cookie', 'a=1; Path=/');
      headers.append('Set-Cookie', 'b=2; Path=/');
      if (event.req.headers.get('x-lifetime')) headers.set('Cache-Control', 'private');
      if (event.req.headers.get('x-down')) event.res.status = 503;
      if (event.url.pathname === '/admin') return new Response('no', { status: 401 });
      const answer = await next();
      event.res.headers.set('X-After', '1');
      return answer;
    });
    app.use(pages.answer);
    app.get('/api/time', () => 'noon');
    app.all('/**', pages.render);
    return app.fetch;
  },
  Elysia(ssr) {
    const pages = toElysia(ssr);
    const app = new Elysia()
      .onRequest(({ request, set, status }) => {
        set.headers['access-control-allow-origin'] = ORIGIN;
        set.headers['vary'] = 'Origin';
        set.headers['set-cookie'] = ['a=1; Path=/', 'b=2; Path=/'] as never;
        if (request.headers.get('x-lifetime')) set.headers['cache-control'] = 'private';
        if (request.headers.get('x-down')) set.status = 503;
        if (request.url.endsWith('/admin')) return status(401, 'no');
        return undefined;
      })
      .onRequest(pages.answer)
      .get('/api/time', () => 'noon')
      .all('/*', pages.render);
    return (request) => app.fetch(request);
  },
};

describe.each(Object.keys(apps))('after middleware of %s', (name) => {
  const fetch = apps[name]!(createHandler());
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    (await fetch(ask(path, { headers: { origin: ORIGIN, ...headers } }))) as Response;
  const own = ['a=1; Path=/', 'b=2; Path=/'];
  const varies = ({ headers }: Response) => headers.get('vary')?.toLowerCase().split(', ').sort();

  test('its cookies and CORS headers are on a held page, once, beside ours', async () => {
    const response = await get('/');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('home');
    expect(response.headers.getSetCookie()).toEqual(own);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(varies(response)).toEqual(['accept-encoding', 'origin']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test('they stand beside the cookies of a rendered page', async () => {
    const response = await get('/about');
    expect(await response.text()).toBe('rendered');
    expect(response.headers.getSetCookie()).toEqual([...own, 'page=1', 'theme=dark']);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(varies(response)).toEqual(['origin']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });

  test('its Cache-Control wins', async () => {
    for (const path of ['/', '/about', '/large.bin']) {
      const response = await get(path, { 'x-lifetime': '1' });
      expect(response.headers.get('cache-control'), path).toBe('private');
    }
  });

  test("the status it chose is the page's, which comes whole", async () => {
    const tag = (await get('/')).headers.get('etag')!;
    for (const path of ['/', '/about', '/large.bin']) {
      const response = await get(path, { 'x-down': '1', 'if-none-match': tag, range: 'bytes=0-1' });
      expect(response.status, path).toBe(503);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(2);
      expect(response.headers.getSetCookie()).toEqual(expect.arrayContaining(own));
    }
  });

  test('a 304 has its headers', async () => {
    const tag = (await get('/')).headers.get('etag')!;
    const response = await get('/', { 'if-none-match': tag });
    expect(response.status).toBe(304);
    expect(response.headers.getSetCookie()).toEqual(own);
  });

  test('its refusal is the answer, and its routes are its own', async () => {
    expect((await get('/admin')).status).toBe(401);
    expect(await (await get('/api/time')).text()).toBe('noon');
  });

  test('a refusal of ours has its headers', async () => {
    const response = await get('/', { host: 'evil.example' });
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual(own);
  });
});

test("what Hono's middleware sets after the page is on the page, and on no other", async () => {
  const fetch = apps['Hono']!(createHandler());
  for (const path of ['/', '/about']) {
    expect(((await fetch(ask(path))) as Response).headers.get('x-after')).toBe('1');
  }
});

test('middleware may answer OPTIONS * before the handler does', async () => {
  const app = new H3();
  app.use((event) =>
    event.req.method === 'OPTIONS' && event.url.pathname === '/*'
      ? new Response(null, { status: 200, headers: { allow: 'GET, POST' } })
      : undefined,
  );
  app.use(toH3(createHandler()).answer);
  const server = createServer(h3ToNodeHandler(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const asking = request({ port, host: '127.0.0.1', method: 'OPTIONS', path: '*' }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(response.headers.allow).toBe('GET, POST');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
