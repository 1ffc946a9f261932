import { unlinkSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createHttp1Client, headerOf } from '@ng-ssr/conformance';
import {
  createExpressSsrServer,
  type ExpressSsrOptions,
  ssrMiddleware,
  withPurgeEndpoint,
  withSlots,
} from '@ng-ssr/express/server';
import express, { type ErrorRequestHandler } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { expressName } from './express-version.ts';

const LARGE = 'large '.repeat(1000);

/** A site of two pages, a script and a large file; its engine has `/rendered` and `/boom`. */
function createSite() {
  const urls: string[] = [];
  const errors: unknown[] = [];
  const browserFolder = writeBuiltSite({
    'browser/index.html': prerendered('home'),
    'browser/about/index.html': prerendered('about'),
    'browser/main.js': 'start()',
    'browser/a b%20?#.txt': LARGE,
    'browser/large.txt': LARGE,
  });
  const options: ExpressSsrOptions = {
    engine: ({ url }) => {
      urls.push(url);
      if (url.endsWith('/boom')) throw new TypeError('it broke');
      return url.endsWith('/rendered') ? new Response('rendered') : null;
    },
    allowedHosts: ['shop.example'],
    files: { folder: browserFolder, maxFileBytes: 1000 },
    onError: (error) => errors.push(error),
  };
  return { urls, errors, browserFolder, options };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = createHttp1Client((server.address() as AddressInfo).port);
  return async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await client.request({ target, headers, method });
    return {
      status: response.status,
      text: response.body.toString(),
      header: (name: string) => headerOf(response, name),
    };
  };
}

/** Says what it was given, so that a test sees who has handled an error. */
function handleAs(name: string): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const { code, message, cause } = error;
    response.status(503).json({ by: name, code, message: cause?.message ?? message });
  };
}

test('an app without middleware of its own answers', async () => {
  for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
    const get = await listen(
      createExpressSsrServer({ ...createSite().options, serveHits }).reqHandler,
    );
    expect((await get('/about')).text).toContain('about');
    expect((await get('/rendered')).text).toBe('rendered');
  }
});

test('X-Powered-By is on nothing of ours, and on an app of the user as the user has it', async () => {
  const server = createExpressSsrServer(createSite().options);
  server.router.get('/api', (_, response) => void response.send('api'));
  const own = await listen(server.reqHandler);
  const existing = await listen(express().use(ssrMiddleware(createSite().options)));
  for (const target of ['/about', '/rendered', '/api', '/large.txt', '/missing']) {
    expect((await own(target)).header('x-powered-by')).toBeUndefined();
  }
  expect((await existing('/about')).header('x-powered-by')).toBe('Express');
});

test("the user's routes have weak ETags of their content, and 304s", async () => {
  const server = createExpressSsrServer(createSite().options);
  server.router.get('/api', (_, response) => void response.send('content'));
  const get = await listen(server.reqHandler);
  const tag = (await get('/api')).header('etag');
  expect(tag).toMatch(/^W\/"[\w-]{11}"$/);
  expect((await get('/api', { 'if-none-match': tag! })).status).toBe(304);
});

test("settings that are made before the first request are the app's", async () => {
  const server = createExpressSsrServer(createSite().options);
  server.app
    .enable('strict routing')
    .enable('case sensitive routing')
    .set('query parser', 'simple');
  server.app.get('/Api', (request, response) => void response.json(request.query));
  const get = await listen(server.reqHandler);
  expect((await get('/Api?a[b]=1')).text).toBe('{"a[b]":"1"}');
  expect((await get('/api')).status).toBe(404);
  expect((await get('/Api/')).status).toBe(404);
});

test('a hit does not walk the routes', async () => {
  const server = createExpressSsrServer(createSite().options);
  const walked = vi.fn();
  server.router.use((request, _, next) => {
    walked(request.url);
    next();
  });
  const get = await listen(server.reqHandler);
  await get('/about');
  await get('/main.js');
  await get('/missing');
  expect(walked.mock.calls).toEqual([['/missing']]);
});

test("the request context is made of Express's request and response", async () => {
  const seen = vi.fn();
  const server = createExpressSsrServer({
    ...createSite().options,
    engine: (_request, context) => {
      seen(context);
      return new Response('');
    },
    requestContext: (request, response) => ({ ip: request.ip, user: response.locals['user'] }),
  });
  server.app.set('trust proxy', true).use((_, response, next) => {
    response.locals['user'] = 'ada';
    next();
  });
  const get = await listen(server.reqHandler);
  await get('/rendered', { 'x-forwarded-for': '192.0.2.7' });
  expect(seen.mock.calls).toEqual([[{ ip: '192.0.2.7', user: 'ada' }]]);
});

test("Express's trust in proxies is not ours: the engine's URL needs trustProxyHeaders", async () => {
  const { options, urls } = createSite();
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'www.shop.example' };
  for (const trustProxyHeaders of [false, true]) {
    const allowedHosts = ['shop.example', 'www.shop.example'];
    const server = createExpressSsrServer({ ...options, allowedHosts, trustProxyHeaders });
    server.app.set('trust proxy', true);
    await (
      await listen(server.reqHandler)
    )('/rendered', forwarded);
  }
  expect(urls).toEqual(['http://shop.example/rendered', 'https://www.shop.example/rendered']);
});

test('what Express cannot decode for a route on the app is refused by the core', async () => {
  const { options } = createSite();
  const server = createExpressSsrServer(options);
  server.app.get('/:id', (_request, _response, next) => next());
  const get = await listen(server.reqHandler);
  for (const target of ['/%ff', '/%', '//evil', '/%5cevil']) {
    const answer = await get(target);
    expect(answer.status).toBe(400);
    expect(answer.header('cache-status')).toBe('ng-ssr; detail=NG_SSR_TARGET_MALFORMED');
  }
  expect((await get('/about')).status).toBe(200);
});

test("a URIError about anything else is the user's", async () => {
  const server = createExpressSsrServer(createSite().options);
  server.app.use((request, _, next) => next(decodeURIComponent(request.url) && undefined));
  server.app.use(handleAs('app'));
  const unhandled = createExpressSsrServer(createSite().options);
  unhandled.app.set('env', 'test').use((request) => void decodeURIComponent(request.url));
  expect((await (await listen(server.reqHandler))('/about?x=%')).status).toBe(503);
  expect((await (await listen(unhandled.reqHandler))('/about?x=%')).status).toBe(500);
});

test('reqHandler is marked for the Angular CLI, and goes on when it is given a next', async () => {
  const server = createExpressSsrServer({ ...createSite().options, forwardErrors: true });
  expect(server.reqHandler).toHaveProperty('__ng_node_request_handler__', true);
  const get = await listen((request, response) => {
    server.reqHandler(request, response, (error) => {
      response.end(`went on with ${(error as { code?: string } | undefined)?.code}`);
    });
  });
  expect((await get('/missing')).text).toBe('went on with undefined');
  expect((await get('/boom')).text).toBe('went on with NG_SSR_RENDER_FAILED');
  expect((await get('/rendered')).text).toBe('rendered');
});

test('an engine that cannot start leaves what is held after middleware and before it, and is reported', async () => {
  for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
    const { options, errors } = createSite();
    const engine = Object.assign(() => null, {
      allowedHosts: () => {
        throw new Error('no application');
      },
    });
    const server = createExpressSsrServer({ ...options, engine, serveHits });
    expect((await (await listen(server.reqHandler))('/about')).status).toBe(200);
    expect(errors).toMatchObject([{ code: 'NG_SSR_RENDER_FAILED' }]);
  }
});

test('forwardErrors must be a boolean, and unknown options are refused', () => {
  const { options } = createSite();
  const create = (more: object) => () => createExpressSsrServer({ ...options, ...more });
  expect(create({ forwardErrors: 'yes' })).toThrow(
    expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }),
  );
  expect(create({ forwardError: true })).toThrow(
    expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
  );
});

// Errors.

test('a failed render is our 500 unless errors are forwarded', async () => {
  const { options, errors } = createSite();
  const server = createExpressSsrServer({ ...options, errorDetails: false });
  server.app.use(handleAs('app'));
  const answer = await (await listen(server.reqHandler))('/boom');
  expect(answer.status).toBe(500);
  expect(answer.text).toBe('500 Internal Server Error\n');
  expect(errors).toHaveLength(1);
});

test.each(['after-middleware', 'before-middleware'] as const)(
  "forwarded, it goes to the app's error-handling middleware, wherever that stands (%s)",
  async (serveHits) => {
    const { options, errors } = createSite();
    const server = createExpressSsrServer({ ...options, serveHits, forwardErrors: true });
    server.app.use(handleAs('app'));
    server.router.get('/route', () => {
      throw new Error('a route');
    });
    const get = await listen(server.reqHandler);
    const render = await get('/boom');
    expect(render.status).toBe(503);
    expect(JSON.parse(render.text)).toEqual({
      by: 'app',
      code: 'NG_SSR_RENDER_FAILED',
      message: 'it broke',
    });
    expect(JSON.parse((await get('/route')).text)).toEqual({ by: 'app', message: 'a route' });
    expect(errors).toHaveLength(1);
    expect((await get('/about')).status).toBe(200);
  },
);

test("errors of the app's own middleware are handled once, and those of a path at that path", async () => {
  const server = createExpressSsrServer({ ...createSite().options, forwardErrors: true });
  const handled: string[] = [];
  server.app
    .use('/fail', (_request, _response, next) => next(new Error('middleware')))
    .use(((error, request, _response, next) => {
      handled.push(request.originalUrl);
      next(error);
    }) satisfies ErrorRequestHandler)
    .use('/shop', handleAs('shop'))
    .use(handleAs('app'));
  const get = await listen(server.reqHandler);
  expect(JSON.parse((await get('/fail')).text)).toMatchObject({ by: 'app', message: 'middleware' });
  expect(JSON.parse((await get('/shop/boom')).text)).toMatchObject({ by: 'shop' });
  expect(JSON.parse((await get('/boom')).text)).toMatchObject({ by: 'app' });
  expect(handled).toEqual(['/fail', '/shop/boom', '/boom']);
});

test('middleware that fails and is forgiven leads to the page', async () => {
  const server = createExpressSsrServer(createSite().options);
  server.app
    .use((_request, _response, next) => next(new Error('no session')))
    .use(((_error, _request, _response, next) => next()) satisfies ErrorRequestHandler);
  const get = await listen(server.reqHandler);
  expect((await get('/about')).status).toBe(200);
  expect((await get('/rendered')).text).toBe('rendered');
});

test('an error that later middleware clears leaves the path without an answer', async () => {
  const server = createExpressSsrServer({ ...createSite().options, forwardErrors: true });
  server.app.use(((_error, _request, _response, next) => next()) satisfies ErrorRequestHandler);
  const answer = await (await listen(server.reqHandler))('/boom');
  expect(answer.status).toBe(404);
  expect(answer.header('cache-status')).toBe('ng-ssr; detail=NG_SSR_NOT_FOUND');
});

test("unhandled errors get Express's own answer", async () => {
  const server = createExpressSsrServer({ ...createSite().options, forwardErrors: true });
  server.app.set('env', 'test');
  server.router.get('/route', () => {
    throw Object.assign(new Error('tea'), { status: 418 });
  });
  const get = await listen(server.reqHandler);
  expect((await get('/boom')).status).toBe(500);
  expect((await get('/boom')).text).toContain('GET /boom failed');
  expect((await get('/route')).status).toBe(418);
});

test('error-handling middleware of the router is nearer to its routes', async () => {
  const server = createExpressSsrServer(createSite().options);
  server.app.use(handleAs('app'));
  server.router.get('/route', (_request, _response, next) => next(new Error('a route')));
  server.router.use(handleAs('router'));
  const get = await listen(server.reqHandler);
  expect(JSON.parse((await get('/route')).text)).toMatchObject({ by: 'router' });
});

test.runIf(expressName === 'express')('a route that rejects is a route that fails', async () => {
  const server = createExpressSsrServer(createSite().options);
  server.app.use(handleAs('app'));
  server.router.get('/route', () => Promise.reject(new Error('a promise')));
  const get = await listen(server.reqHandler);
  expect(JSON.parse((await get('/route')).text)).toMatchObject({ message: 'a promise' });
});

test('a request context that cannot be made is an error like any other', async () => {
  const server = createExpressSsrServer({
    ...createSite().options,
    requestContext: () => {
      throw new Error('no context');
    },
  });
  server.app.use(handleAs('app'));
  const get = await listen(server.reqHandler);
  expect(JSON.parse((await get('/rendered')).text)).toMatchObject({ message: 'no context' });
});

// Large files.

test('large files are found by any name, in parts as the core reads them', async () => {
  const server = createExpressSsrServer(createSite().options);
  const get = await listen(server.reqHandler);
  expect((await get('/a%20b%2520%3F%23.txt')).text).toBe(LARGE);
  expect((await get('/large.txt?v=1')).text).toBe(LARGE);
  const part = await get('/large.txt', { range: 'bytes=-5' });
  expect([part.status, part.text]).toEqual([206, 'arge ']);
  const tag = (await get('/large.txt')).header('etag')!;
  const whole = await get('/large.txt', { range: 'bytes=0-1', 'if-range': tag });
  expect(whole.status).toBe(200);
  expect((await get('/large.txt', { 'if-none-match': tag })).status).toBe(304);
  expect((await get('/large.txt', { 'if-match': '"other"' })).status).toBe(412);
});

test('a large file that has gone since start is a 404', async () => {
  const { options, browserFolder } = createSite();
  const server = createExpressSsrServer(options);
  server.app.use(handleAs('app'));
  unlinkSync(join(browserFolder, 'large.txt'));
  const answer = await (await listen(server.reqHandler))('/large.txt');
  expect([answer.status, answer.text]).toEqual([404, '404 Not Found\n']);
});

// The middleware alone.

test('an existing app keeps its routes and its 404s', async () => {
  const app = express();
  const ssr = ssrMiddleware(createSite().options);
  const walked = vi.fn();
  app.use(ssr.answer);
  app.use((request, _, next) => {
    walked(request.url);
    next();
  });
  app.get('/api', (_, response) => void response.send('api'));
  app.use(ssr);
  app.use((_, response) => void response.status(404).send('nobody'));
  const get = await listen(app);
  expect((await get('/about')).text).toContain('about');
  expect((await get('/api')).text).toBe('api');
  expect((await get('/rendered')).text).toBe('rendered');
  expect((await get('/large.txt')).text).toBe(LARGE);
  expect((await get('/missing')).text).toBe('nobody');
  expect((await get('/about', {}, 'POST')).status).toBe(405);
  expect(walked.mock.calls.flat()).toEqual([
    '/api',
    '/rendered',
    '/large.txt',
    '/missing',
    '/about',
  ]);
});

test('it forwards errors to later error-handling middleware', async () => {
  const ssr = ssrMiddleware({ ...createSite().options, forwardErrors: true });
  const get = await listen(express().use(ssr).use(handleAs('app')));
  expect(JSON.parse((await get('/boom')).text)).toMatchObject({ code: 'NG_SSR_RENDER_FAILED' });
});

test('mounted, it finds files below the mount and renders whole URLs', async () => {
  const { options, urls } = createSite();
  const outer = express.Router();
  const get = await listen(
    express().use('/eu', outer.use('/shop', ssrMiddleware(options))) as RequestListener,
  );
  for (const target of ['/eu/shop', '/eu/shop/', '/eu/shop?utm=1', '/eu/shop/index.html']) {
    expect((await get(target)).text).toContain('home');
  }
  for (const target of ['/eu/shop/about', '/eu/shop/about/', '/eu/shop/about?x=/y']) {
    expect((await get(target)).text).toContain('about');
  }
  expect((await get('/eu/shop/large.txt')).text).toBe(LARGE);
  expect(urls).toEqual([]);
  expect((await get('/eu/shop/rendered')).text).toBe('rendered');
  expect((await get('/eu/shop/missing?x=1')).status).toBe(404);
  expect(urls).toEqual([
    'http://shop.example/eu/shop/rendered',
    'http://shop.example/eu/shop/missing?x=1',
  ]);
  for (const target of ['/about', '/eu/about', '/eu/shopping', '/rendered']) {
    expect((await get(target)).header('cache-status')).toBeUndefined();
  }
});

test.each(['/_ng-ssr/purge', '/shop/_ng-ssr/purge'])(
  'mounted, the purge endpoint %s answers below the mount',
  async (path) => {
    const token = 'a-token-of-enough-characters';
    const features = [withPurgeEndpoint({ path, token })];
    const ssr = ssrMiddleware({ ...createSite().options, features });
    const get = await listen(express().use('/shop', ssr) as RequestListener);
    const authorized = { authorization: `Bearer ${token}`, 'content-length': '0' };
    expect((await get('/shop/_ng-ssr/purge', {}, 'POST')).status).toBe(401);
    expect((await get('/shop/_ng-ssr/purge', authorized, 'POST')).status).toBe(400);
    expect((await get('/_ng-ssr/purge', authorized, 'POST')).status).toBe(404);
  },
);

test('mounted, the endpoint of slots is the whole path, which pages name', async () => {
  const page =
    '<!doctype html><html><head></head><body><app-root ng-version="22"></app-root></body></html>';
  const ssr = ssrMiddleware({
    ...createSite().options,
    engine: () => new Response(page, { headers: { 'content-type': 'text/html' } }),
    features: [withSlots({ cart: { fill: () => ({ count: 2 }) } }, { endpoint: '/shop/_slots' })],
  });
  const get = await listen(express().use('/shop', ssr) as RequestListener);
  const cookie = { cookie: 'session=ann' };
  expect((await get('/shop/_slots?path=%2Fshop%2Fa', cookie)).text).toContain('{"count":2}');
  for (const target of ['/_slots?path=%2Fshop%2Fa', '/shop/shop/_slots?path=%2Fshop%2Fa']) {
    expect((await get(target, cookie)).text).not.toContain('{"count":2}');
  }
});

test('mounted, it refuses what is malformed below the mount and in it', async () => {
  const { options, urls } = createSite();
  const get = await listen(express().use('/:tenant', ssrMiddleware(options)) as RequestListener);
  for (const target of ['/shop/%2e%2e/rendered', '/shop/%5cx', '/%2e%2e/rendered']) {
    expect((await get(target)).status).toBe(400);
  }
  expect(urls).toEqual([]);
});

test('a rewritten url is where files are looked for, and what the application sees', async () => {
  const { options, urls } = createSite();
  const server = createExpressSsrServer(options);
  server.app.use((request, _, next) => {
    request.url = request.url.replace('/en/', '/');
    next();
  });
  const get = await listen(server.reqHandler);
  expect((await get('/en/about')).text).toContain('about');
  expect((await get('/en/large.txt')).text).toBe(LARGE);
  expect((await get('/en/rendered')).text).toBe('rendered');
  expect(urls).toEqual(['http://shop.example/rendered']);
});
