/**
 * A program with one server, whose threads it runs in, too. It tells its parent where it listens,
 * what it reports and what becomes of its threads.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import os, { getPriority, setPriority } from 'node:os';
import { isMainThread, threadId } from 'node:worker_threads';
import { isMainModule, withRenderThreads } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

// CORES stands for the number of the machine's cores.
if (process.env.CORES) {
  os.availableParallelism = () => Number(process.env.CORES);
  syncBuiltinESMExports();
}
if (isMainThread && process.env.NICENESS) setPriority(Number(process.env.NICENESS));
// What else a program may do in a thread than to create its server.
if (!isMainThread) {
  const { IN_THREADS, ONLY_FIRST_THREAD, THROWS_WHILE } = process.env;
  if (ONLY_FIRST_THREAD && threadId > 1) throw new Error('not in a further thread');
  if (IN_THREADS === 'throw' || existsSync(THROWS_WHILE ?? '')) throw new Error('not in a thread');
  if (IN_THREADS === 'end') process.exit(0);
  if (IN_THREADS === 'stay') await new Promise(() => setInterval(() => {}, 1000));
}

const outside = new AsyncResource('outside');
const leaked = [];
const recent = [];
const visitor = new AsyncLocalStorage();
let renders = 0;
let loaded = false;

/** Calls back in no render's context, and when the render may have ended. */
function later(callback) {
  outside.runInAsyncScope(() => setImmediate(callback));
}

function raise(error) {
  throw error;
}

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const pages = {
  '/page': async (request, context) =>
    Response.json({ url: request.url, headers: [...request.headers], context, render: ++renders }),
  '/thread': () => new Response(String(threadId)),
  '/loaded': () => new Response(String(loaded)),
  '/niceness': () => new Response(String(getPriority())),
  '/bytes': () => new Response(Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251)),
  '/headers': () => {
    const headers = new Headers({ 'cache-control': 's-maxage=60', 'content-type': 'text/html' });
    headers.append('set-cookie', 'a=1; Path=/');
    headers.append('set-cookie', 'b=2');
    return new Response('gone', { status: 410, headers });
  },
  '/declined': () => null,
  '/throws': () => {
    throw Object.assign(new TypeError('outer', { cause: new RangeError('inner') }), { code: 'E1' });
  },
  '/throws-later': async () => {
    await sleep(1);
    throw new Error('too late');
  },
  '/throws-text': () => {
    throw 'just text';
  },
  '/throws-object': () => {
    throw { reason: 'sold out' };
  },
  '/breaks': () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.error(new Error('half a page')) }),
    ),
  '/slow': async (request) => {
    await sleep(Number(new URL(request.url).searchParams.get('ms')));
    return new Response(`slow ${threadId}`);
  },
  '/cookie': (request) => new Response(String(request.headers.get('cookie'))),
  '/enters': (request) => {
    const before = visitor.getStore();
    visitor.enterWith(request.url);
    return new Response(String(before));
  },
  '/hang': () => new Promise(() => {}),
  '/loop': async (request) => {
    await sleep(Number(new URL(request.url).searchParams.get('after')));
    for (;;);
  },
  '/busy': (request) => {
    spin(Number(new URL(request.url).searchParams.get('ms')));
    return new Response(`busy ${threadId}`);
  },
  '/exit': () => process.exit(7),
  '/exit-later': () => {
    later(() => process.exit(7));
    return new Promise(() => {});
  },
  '/crash': () => {
    later(() => {
      throw new Error('nobody is to blame');
    });
    return new Promise(() => {});
  },
  '/memory': async () => {
    for (;;) {
      leaked.push(new Array(100_000).fill(0).map((_, i) => ({ i })));
      await sleep(0);
    }
  },
  '/leak': () => {
    leaked.push(new Array(131_072).fill(leaked.length + 0.5));
    return new Response(String(threadId));
  },
  // Old enough to leave only in a full collection.
  '/garbage': () => {
    recent.push(new Array(131_072).fill(0.5));
    if (recent.length > 40) recent.shift();
    return new Response(String(threadId));
  },
  '/rejects': async () => {
    void Promise.reject(new Error('nobody waited'));
    await sleep(50);
    return new Response('complete');
  },
  '/throws-in-timer': async () => {
    setTimeout(() => {
      throw new Error('nobody caught it');
    });
    await sleep(50);
    return new Response('complete');
  },
  '/rejects-often': () => {
    let left = 3;
    const timer = setInterval(() => {
      if (--left === 0) clearInterval(timer);
      void Promise.reject(new Error(`lost ${left}`));
    }, 5);
    return new Response('in time');
  },
  '/throws-unreadable': () => {
    throw Object.defineProperties(new Error('hidden'), {
      stack: { get: () => raise(new Error('no stack')) },
      message: { get: () => raise(new Error('no message')) },
    });
  },
  '/exits-in-timer': async () => {
    setTimeout(() => process.exit(7));
    await sleep(50);
    return new Response('complete');
  },
  '/exits-later': () => {
    setTimeout(() => process.exit(7), 5);
    return new Response('in time');
  },
  '/exits-later-async': () => {
    void sleep(5).then(() => process.exit(7));
    return new Response('in time');
  },
  '/exits-later-caught': () => {
    setTimeout(() => {
      try {
        process.exit(7);
      } catch {
        // As libraries do that close something and exit in any case.
      }
    }, 5);
    return new Response('in time');
  },
  '/exits-often': () => {
    let left = 3;
    const timer = setInterval(() => {
      if (--left === 0) clearInterval(timer);
      process.exit(left);
    }, 5);
    return new Response('in time');
  },
  '/throws-in-timer-later': () => {
    setTimeout(() => raise(new Error('nobody caught it')), 5);
    return new Response('in time');
  },
  '/hears-signals': () => {
    process.once('SIGTERM', async () => {
      await sleep(1);
      process.exit(9);
    });
    return new Response('listening');
  },
  '/hears-signals-and-hangs': () => {
    process.once('SIGTERM', () => process.exit(9));
    return new Promise(() => {});
  },
  '/rejects-later': () => {
    setTimeout(() => void Promise.reject(new Error('nobody waited')), 5);
    return new Response('in time');
  },
};

const { clock = {}, failOnError, renderThreads, ...options } = JSON.parse(process.env.OPTIONS);
const hasFeature = renderThreads && (isMainThread || process.env.IN_THREADS !== 'no feature');
const { setTimeout: realTimeout } = globalThis;
// Some waits that are too long for a test.
globalThis.setTimeout = (callback, ms, ...rest) => realTimeout(callback, clock[ms] ?? ms, ...rest);
const handler = new SsrHandler({
  engine: Object.assign(
    (request, context) => {
      const page = pages[new URL(request.url).pathname];
      return page === undefined ? null : page(request, context);
    },
    {
      failOnError,
      setup: (setup) => (pages['/setup'] = () => Response.json(setup)),
      load: async () => {
        if (process.env.LOAD === 'throw') throw new Error('not loaded');
        await sleep(20);
        loaded = '/setup' in pages;
      },
    },
  ),
  allowedHosts: ['localhost'],
  errorDetails: true,
  features: hasFeature ? [withRenderThreads(renderThreads)] : [],
  onError: ({ code, message, cause }) => {
    if (process.env.EXITS_ON_ERROR) process.exit(4);
    process.send?.({ error: { code, message, cause: String(cause) } });
  },
  ...options,
});

if (isMainModule(import.meta.url)) {
  subscribe('ng-ssr:render:start', ({ name }) => process.send({ render: name }));
  subscribe('ng-ssr:worker', (event) => process.send({ worker: event }));
  const contexts = {
    plain: { user: 'ann', since: new Date(0), roles: new Set(['admin']) },
    function: { user: () => 'ann' },
  };
  const server = createServer(async (request, response) => {
    // Every program is asked for the same, whatever its port.
    request.headers.host = 'localhost';
    const exchange = {
      method: request.method,
      target: request.url,
      encrypted: false,
      localPort: request.socket.localPort,
      status: 200,
      header: (name) => request.headers[name],
      headers: () => Object.entries(request.headers),
      content: async () => undefined,
    };
    const answer =
      handler.answer(exchange) ??
      (await handler.render(exchange, contexts[request.headers['x-context']] ?? null)) ??
      handler.notFound(exchange);
    response.shouldKeepAlive = server.listening;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  process.on('message', async (message) => {
    if (message === 'throw') return setImmediate(() => raise(new Error('the server is broken')));
    if (message === 'reject') return void Promise.reject(new Error('the server is broken'));
    if (message === 'exit') return process.exit(3);
    if (message.blockMs !== undefined) return spin(message.blockMs);
    if (message === 'ping') return process.send({ pong: true });
    server.close();
    await handler.close();
    server.closeIdleConnections();
    setImmediate(() => process.disconnect());
  });
  if (!process.env.LISTENS_AT_ONCE) await handler.ready();
  server.listen(0, () => process.send({ origin: `http://localhost:${server.address().port}` }));
}
