import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { RequestEvent } from '@ng-ssr/core';
import { ssrMiddleware, withCalls } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../../core/test/built-site.ts';
import { ask, type CallingPage, createCalledServer } from './called-server.ts';

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

const IN_PROCESS = { '/api/**': { inProcess: true } };

/** A server with one page, `/`, and one route, `/api`, that takes all methods. */
async function start(page: CallingPage, route: Route, calls: object = IN_PROCESS) {
  const made = createCalledServer({ pages: { '/': page }, calls: calls as never });
  made.server.use((request, response, next) => {
    if (!request.url!.startsWith('/api')) return next();
    return route(request, response);
  });
  const url = await made.listen();
  return { ...made, url };
}

test('a call sees the routes and middleware with its own and forwarded headers alone', async () => {
  const seen: object[] = [];
  const { url, errors } = await start(
    async () => {
      const init: RequestInit = { credentials: 'include', headers: { 'x-own': '1' } };
      return (await fetch('/api/a%20b?x=1&y=%C3%A4', init)).text();
    },
    (request, response) => {
      const { method, url, headers, httpVersion, socket } = request;
      seen.push({ method, url, headers, httpVersion, from: socket.remoteAddress });
      response.end('from the route');
    },
    { '/api/**': { inProcess: true, forward: ['cookie', 'accept-language'] } },
  );
  const headers = { cookie: 'who=ada', 'accept-language': 'de', 'x-foreign': '1' };
  expect(await ask(`${url}/`, headers)).toEqual([200, 'from the route']);
  expect(seen).toEqual([
    {
      ...{ method: 'GET', url: '/api/a%20b?x=1&y=%C3%A4', httpVersion: '1.1', from: undefined },
      headers: {
        ...{ host: new URL(url).host, connection: 'keep-alive' },
        ...{ 'x-own': '1', cookie: 'who=ada', 'accept-language': 'de' },
        // As over the network.
        ...{ accept: '*/*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
      },
    },
  ]);
  expect(errors).toEqual([]);
});

test('a call of a page over https reaches the routes as one over TLS', async () => {
  const { url } = await start(
    async () => (await fetch('/api')).text(),
    (request, response) => {
      const { encrypted } = request.socket as unknown as { encrypted: boolean };
      response.end(`${encrypted} ${request.headers.host}`);
    },
  );
  const host = new URL(url).host;
  expect(await ask(url, { 'x-forwarded-proto': 'https' })).toEqual([200, `true ${host}`]);
  expect(await ask(url)).toEqual([200, `false ${host}`]);
});

test.each(['text', 'bytes', 'stream', 'form'])('a route gets content: %s', async (kind) => {
  const long = 'ä'.repeat(200_000);
  const toBody = (): BodyInit => {
    if (kind === 'text') return long;
    if (kind === 'bytes') return new TextEncoder().encode(long);
    if (kind === 'form') return new URLSearchParams({ long });
    return new Blob([long]).stream();
  };
  const { url } = await start(
    async () => {
      const init = { method: 'PUT', body: toBody(), duplex: 'half' };
      const response = await fetch('/api', init as RequestInit);
      return `${response.status} ${await response.text()}`;
    },
    async (request, response) => {
      const content = await text(request);
      const isSame = content === long || new URLSearchParams(content).get('long') === long;
      response.writeHead(201).end(`${request.method} ${isSame}`);
    },
  );
  expect(await ask(url)).toEqual([200, '201 PUT true']);
});

test('a response has the status, the headers and the content of the route', async () => {
  const { url } = await start(
    async () => {
      const response = await fetch('/api');
      const { status, statusText, redirected } = response;
      const headers = [...response.headers].filter(([name]) => name !== 'date');
      return JSON.stringify([
        status,
        statusText,
        redirected,
        response.url,
        headers,
        await response.text(),
      ]);
    },
    (_request, response) => {
      response.writeHead(418, 'Short and stout', [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Latin', '\xe4'],
        ...['Content-Encoding', 'gzip', 'Content-Type', 'text/plain'],
      ]);
      response.end(gzipSync('decoded'));
    },
  );
  const [status, content] = await ask(url);
  expect(status).toBe(200);
  expect(JSON.parse(content)).toEqual([
    ...[418, 'Short and stout', false, `${url}/api`],
    [
      ...[
        ['content-encoding', 'gzip'],
        ['content-type', 'text/plain'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
      ['x-latin', '\xe4'],
    ],
    'decoded',
  ]);
});

test.each([
  ['HEAD', 200, '', true],
  ['GET', 204, '', false],
  ['GET', 304, '', false],
])('%s with status %i has no content', async (method, status, content, hasLength) => {
  const { url } = await start(
    async () => {
      for (let i = 0; i < 2; i++) {
        const response = await fetch('/api', { method });
        expect(response.status).toBe(status);
        expect(await response.text()).toBe(content);
      }
      return 'done';
    },
    (_request, response) => {
      response.writeHead(status, hasLength ? { 'content-length': 5 } : {});
      response.end(hasLength ? '12345' : undefined);
    },
  );
  expect(await ask(url)).toEqual([200, 'done']);
});

test('content is streamed while the route writes it', async () => {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { url } = await start(
    async () => {
      const reader = (await fetch('/api')).body!.getReader();
      const first = await reader.read();
      release();
      const second = await reader.read();
      const third = await reader.read();
      return (
        [first.value, second.value].map((part) => String.fromCharCode(...part!)).join() + third.done
      );
    },
    async (_request, response) => {
      response.write('first');
      await released;
      response.end('second');
    },
  );
  expect(await ask(url)).toEqual([200, 'first,secondtrue']);
});

test('a long response is read at the pace of its reader, and as a whole', async () => {
  const bytes = 5_000_000;
  const { url } = await start(
    async () => String((await (await fetch('/api')).arrayBuffer()).byteLength),
    (_request, response) => {
      response.setHeader('content-length', bytes);
      response.end(Buffer.alloc(bytes));
    },
  );
  expect(await ask(url)).toEqual([200, String(bytes)]);
});

test("a caller's abort destroys the request, and the route sees it", async () => {
  let closed: Promise<unknown> | undefined;
  const controller = new AbortController();
  const { url, errors } = await start(
    async () => (await fetch('/api', { signal: controller.signal })).text(),
    (request, response) => {
      const names = ['aborted', 'error', 'close'].map(
        (name) => new Promise((resolve) => request.once(name, resolve)),
      );
      closed = Promise.all([...names, once(response, 'close')]);
      controller.abort(new Error('not needed any more'));
    },
  );
  expect(await ask(url)).toEqual([502, 'Error: not needed any more']);
  await closed;
  expect(errors).toEqual([]);
});

test('a cancelled response destroys it, and the route sees it', async () => {
  let closed: Promise<unknown> | undefined;
  const { url } = await start(
    async () => {
      const reader = (await fetch('/api')).body!.getReader();
      await reader.read();
      await reader.cancel();
      await closed;
      return 'done';
    },
    (_request, response) => {
      closed = once(response, 'close');
      response.write('first');
    },
  );
  expect(await ask(url)).toEqual([200, 'done']);
});

test('a route that never answers ends with the time of the call', async () => {
  let closed: Promise<unknown> | undefined;
  const { url } = await start(
    async () => (await fetch('/api')).text(),
    (_request, response) => void (closed = once(response, 'close')),
    { '/api/**': { inProcess: true, timeoutMs: 30 } },
  );
  const [status, content] = await ask(url);
  expect(status).toBe(502);
  expect(content).toMatch(
    /^NG_SSR_CALL_TIMEOUT: GET http:\S+\/api, called by GET \/, took longer than 30 ms/,
  );
  await closed;
});

test('a route that closes its connection, or breaks off, fails the call', async () => {
  const { url } = await start(
    async () => {
      const failures: unknown[] = [];
      for (const path of ['/api/never', '/api/half', '/api/half?long']) {
        await fetch(path)
          .then((response) => response.text())
          .catch((error: { code: string }) => failures.push(error.code));
      }
      return failures.join();
    },
    (request, response) => {
      if (request.url === '/api/never') return response.destroy();
      response.setHeader('content-length', request.url!.endsWith('long') ? 1_000_000 : 100);
      response.write('half', () => response.destroy());
      return undefined;
    },
  );
  expect(await ask(url)).toEqual([200, Array(3).fill('NG_SSR_CALL_FAILED').join()]);
});

test("a failing route is answered with the server's own 500, which is no error of the page", async () => {
  const { url, errors } = await start(
    async () => String((await fetch('/api')).status),
    () => {
      throw new Error('the route has failed');
    },
  );
  expect(await ask(url)).toEqual([200, '500']);
  // The second says once that the page has hidden a failed call.
  const codes = errors.map(({ code }) => code);
  expect(codes).toEqual(['NG_SSR_HANDLER_FAILED', 'NG_SSR_CALL_FAILED']);
});

test('routes do not run in the async context of the page or of its request', async () => {
  const store = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const made = createCalledServer({
    pages: { '/': async () => store.run('page', async () => (await fetch('/api')).text()) },
    calls: IN_PROCESS,
  });
  made.server.use((request, _response, next) => {
    seen.push(store.getStore());
    if (request.url === '/api') return next();
    return store.run('request', next);
  });
  made.server.router.get('/api', async (request, response) => {
    seen.push(store.getStore());
    for await (const _chunk of request);
    seen.push(store.getStore());
    response.end(String(store.getStore()));
  });
  const url = await made.listen();
  for (let i = 0; i < 2; i++) expect(await ask(url)).toEqual([200, 'undefined']);
  expect(seen.every((each) => each === undefined)).toBe(true);
});

test('routes use the fetch of the runtime', async () => {
  const api = createServer((request, response) => response.end(String(request.headers['x-own'])));
  await once(api.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void api.close());
  const { port } = api.address() as AddressInfo;
  const { url } = await start(
    async () => (await fetch('/api')).text(),
    async (_request, response) => {
      const own = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-own': 'own' } });
      response.end(await own.text());
    },
  );
  expect(await ask(url)).toEqual([200, 'own']);
});

test('an unsafe call invalidates the stored page of its target', async () => {
  let renders = 0;
  const made = createCalledServer({
    pages: {
      '/api/list': async () => String(++renders),
      '/': async () => String((await fetch('/api/list', { method: 'POST', body: 'x' })).status),
    },
    calls: IN_PROCESS,
    routeRules: { '/api/list': { sMaxAge: 60 } },
  });
  made.server.router.post('/api/list', (request, response) => {
    request.resume();
    response.writeHead(201).end();
  });
  const url = await made.listen();
  const list = async () => (await ask(`${url}/api/list`))[1];
  expect([await list(), await list()]).toEqual(['1', '1']);
  expect(await ask(url)).toEqual([200, '201']);
  expect(await list()).toBe('2');
});

test('requests in process are no requests of clients', async () => {
  const requests: RequestEvent[] = [];
  const note = (event: unknown): void => void requests.push(event as RequestEvent);
  subscribe('ng-ssr:request', note);
  onTestFinished(() => void unsubscribe('ng-ssr:request', note));
  const made = createCalledServer({
    pages: { '/api/page': async () => 'inner', '/': async () => (await fetch('/api/page')).text() },
    calls: IN_PROCESS,
  });
  const url = await made.listen();
  expect(await ask(url)).toEqual([200, 'inner']);
  expect(requests.map(({ target }) => target)).toEqual(['/']);
});

test('calls are made while the server closes', async () => {
  let isAsked!: () => void;
  let release!: () => void;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const { url, server } = await start(
    async () => {
      isAsked();
      await released;
      return (await fetch('/api')).text();
    },
    (_request, response) => response.end('while it closes'),
  );
  const page = ask(url);
  await asked;
  const closed = server.close();
  release();
  expect(await page).toEqual([200, 'while it closes']);
  await closed;
});

test('URLs are resolved as in a browser, by the base href, whatever the path of the page', async () => {
  const seen: (string | undefined)[] = [];
  const host = 'shop.example';
  const urls = ['api/x', './api/x', '/api/x', '?q', `//${host}/api/x`, '#top'];
  const folder = writeBuiltSite({
    'browser/index.csr.html': '<html><head><base href="/shop/"></head></html>',
  });
  const ssr = ssrMiddleware({
    allowedHosts: [host],
    files: { folder },
    features: [withCalls({ '**': { inProcess: true } })],
    routes: (request, response) => {
      seen.push(`${request.headers.host}${request.url}`);
      response.end();
    },
    engine: async () => {
      for (const each of urls) await fetch(each);
      return new Response('done', { headers: { 'content-type': 'text/html' } });
    },
  });
  const server = createServer((request, response) => ssr(request, response, () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.close();
    await ssr.close();
  });
  const { port } = server.address() as AddressInfo;
  const page = await ask(`http://127.0.0.1:${port}/shop/products/3`, { host });
  expect(page).toEqual([200, 'done']);
  expect(seen).toEqual(
    ['/shop/api/x', '/shop/api/x', '/api/x', '/shop/?q', '/api/x', '/shop/'].map(
      (path) => host + path,
    ),
  );
});

test('without routes a call fails, and names the option', async () => {
  const errors: { code: string; message: string }[] = [];
  const ssr = ssrMiddleware({
    allowedHosts: ['127.0.0.1'],
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': '' }) },
    features: [withCalls(IN_PROCESS)],
    onError: (error) => void errors.push(error),
    engine: async () => {
      const failure = await fetch('/api').catch((error: { code: string }) => error);
      return new Response((failure as { code: string }).code);
    },
  });
  const server = createServer((request, response) => ssr(request, response, () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.close();
    await ssr.close();
  });
  const { port } = server.address() as AddressInfo;
  for (let i = 0; i < 2; i++) {
    expect(await ask(`http://127.0.0.1:${port}/`)).toEqual([200, 'NG_SSR_OPTION_INVALID']);
  }
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    [
      'NG_SSR_OPTION_INVALID',
      'withCalls["/api/**"].inProcess is true, but the option routes is missing. Set it to your app: routes: (request) => app.fetch(request), or with @ng-ssr/node, koa or express: (req, res) => app(req, res)',
    ],
  ]);
});

test.each([
  ['a long URL', 431, `/api?${'x'.repeat(140_000)}`, {}],
  ['a long header', 431, '/api', { headers: { 'x-long': 'x'.repeat(140_000) } }],
  ['an unknown method', 400, '/api', { method: 'foo' }],
])('the server refuses a call with %s as over the network', async (_name, status, target, init) => {
  const { url } = await start(
    async () => {
      const refuse = async (): Promise<string> => {
        const response = await fetch(target, init);
        return `${response.status}${await response.text()}`;
      };
      const first = await refuse();
      // Content is watched from then on.
      await (await fetch('/api', { method: 'POST', body: 'content' })).text();
      return `${first} ${await refuse()}`;
    },
    (request, response) => void request.resume().on('end', () => response.end('taken')),
  );
  expect(await ask(url)).toEqual([200, `${status} ${status}`]);
});

test('a route that refuses a stream and closes its connection is read to its end', async () => {
  const refusal = 'x'.repeat(100_000);
  const { url } = await start(
    async () => {
      let chunks = 0;
      const body = new ReadableStream({
        async pull(stream) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          if (chunks++ < 200) stream.enqueue(new Uint8Array(1000));
          else stream.close();
        },
      });
      const init = { method: 'POST', body, duplex: 'half' };
      const response = await fetch('/api', init as RequestInit);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return `${response.status} ${(await response.text()) === refusal}`;
    },
    (_request, response) => void response.writeHead(413, { connection: 'close' }).end(refusal),
  );
  expect(await ask(url)).toEqual([200, '413 true']);
});

/** A stream that never waits, and what has become of it. */
function endlessStream(maxChunks = 4000) {
  const seen = { chunks: 0, reason: undefined as unknown, isCancelled: false };
  const body = new ReadableStream({
    pull(stream) {
      if (seen.chunks++ < maxChunks) stream.enqueue(new Uint8Array(16_384));
      else stream.close();
    },
    cancel(reason) {
      Object.assign(seen, { reason, isCancelled: true });
    },
  });
  return { seen, init: { method: 'POST', body, duplex: 'half' } as RequestInit };
}

test('a stream is cancelled when the route has answered before its end', async () => {
  const { seen, init } = endlessStream();
  const { url } = await start(
    async () => {
      const response = await fetch('/api', init);
      return `${response.status} ${await response.text()}`;
    },
    (_request, response) => void response.writeHead(413).end('too large'),
  );
  expect(await ask(url)).toEqual([200, '413 too large']);
  await expect.poll(() => seen.isCancelled).toBe(true);
  expect(seen.chunks).toBeLessThan(1000);
});

test('a stream that never waits keeps no timer from ending its call', async () => {
  const { seen, init } = endlessStream();
  const { url } = await start(
    async () => (await fetch('/api', init)).text(),
    (request, response) => void request.resume().on('end', () => response.end('all')),
    { '/api/**': { inProcess: true, timeoutMs: 20 } },
  );
  const [status, content] = await ask(url);
  expect([status, content.slice(0, 19)]).toEqual([502, 'NG_SSR_CALL_TIMEOUT']);
  await expect.poll(() => seen.isCancelled).toBe(true);
  expect(seen.reason).toMatchObject({ code: 'NG_SSR_CALL_TIMEOUT' });
  expect(seen.chunks).toBeLessThan(4000);
});

test('a call whose route switches protocols fails', async () => {
  const { url } = await start(
    async () => (await fetch('/api')).text(),
    (_request, response) => {
      response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end();
    },
  );
  const [, content] = await ask(url);
  expect(content).toMatch(/^NG_SSR_CALL_FAILED: .* closed without a response/);
});

test('a connection that closes in the middle of a head fails the call', async () => {
  const { url } = await start(
    async () => (await fetch('/api')).text(),
    ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-'),
  );
  expect((await ask(url))[1]).toMatch(/^NG_SSR_CALL_FAILED: /);
});

test('the fetch of a route reads headers once, and rejects what it refuses', async () => {
  const api = createServer((request, response) => response.end(String(request.headers['x-own'])));
  await once(api.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void api.close());
  const { port } = api.address() as AddressInfo;
  const other = `http://127.0.0.1:${port}/`;
  const got: unknown[] = [];
  const { url } = await start(
    async () => (await fetch('/api')).text(),
    async (_request, response) => {
      const once = new Map([['x-own', 'own']]).entries();
      got.push(await (await fetch(other, { headers: once as never })).text());
      const bad: readonly Parameters<typeof fetch>[] = [
        [null as never],
        [other, { headers: { 'bad name': '' } }],
        [`${url}/`, { headers: { 'bad name': '' } }],
        [`${url}/`, { headers: null as never, method: Symbol('get') as never }],
      ];
      for (const args of bad) got.push(await fetch(...args).catch(({ name }) => name as string));
      const accept = { headers: [['accept', 'text/html']] as [string, string][] };
      got.push(await fetch(`${url}/`, accept).catch(({ code }) => code as string));
      response.end('done');
    },
  );
  expect(await ask(url)).toEqual([200, 'done']);
  expect(got).toEqual(['own', ...Array<string>(4).fill('TypeError'), 'NG_SSR_CALL_LOOP']);
});
