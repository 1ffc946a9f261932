import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import { createFastifySsrServer, type FastifySsrServerOptions } from '@ng-ssr/fastify/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSite } from './site.ts';

function create(options: Partial<FastifySsrServerOptions> = {}) {
  const server = createFastifySsrServer({ ...createSite(), ...options });
  onTestFinished(() => server.close());
  return server;
}

/** `get('/held')` through Fastify's own injection. */
function client({ app }: ReturnType<typeof create>) {
  const headers = { host: '127.0.0.1' };
  return (url: string, more: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url, headers: { ...headers, ...more } });
}

describe('hooks', () => {
  test('run before hits, whenever they were added and at every stage', async () => {
    const server = create();
    const { app } = server;
    const seen: string[] = [];
    app.register(async (scope) => {
      scope.addHook('onRequest', async () => void seen.push('of a sibling'));
    });
    app.addHook('preHandler', async () => void seen.push('preHandler'));
    app.addHook('preValidation', async () => void seen.push('preValidation'));
    await app.register(async () => undefined);
    app.addHook('preParsing', async () => void seen.push('preParsing'));
    app.addHook('onRequest', async () => void seen.push('onRequest'));
    app.addHook('onSend', async () => void seen.push('onSend'));
    app.addHook('onResponse', async () => void seen.push('onResponse'));
    const hit = await client(server)('/held');
    expect(hit.headers['cache-status']).toBe('ng-ssr; hit');
    const stages = [
      'onRequest',
      'preParsing',
      'preValidation',
      'preHandler',
      'onSend',
      'onResponse',
    ];
    expect(seen).toEqual(stages);
  });

  test('of any stage may refuse a hit, a large file and a page', async () => {
    for (const stage of ['onRequest', 'preValidation', 'preHandler'] as const) {
      const server = create();
      server.app.addHook(stage, async (_, reply) => reply.code(401).send('who?'));
      for (const url of ['/held', '/large.txt', '/rendered']) {
        const answer = await client(server)(url);
        expect([answer.statusCode, answer.body]).toEqual([401, 'who?']);
      }
    }
  });

  test('of onSend get the bytes and may change them', async () => {
    const server = create();
    server.app.addHook('onSend', async (_, reply, payload) => {
      expect(payload).toBeInstanceOf(Uint8Array);
      reply.header('x-bytes', (payload as Buffer).byteLength);
      return 'changed';
    });
    for (const url of ['/held', '/rendered']) {
      const { headers, body } = await client(server)(url);
      expect(body).toBe('changed');
      expect(headers['content-length']).toBe('7');
      expect(Number(headers['x-bytes'])).toBeGreaterThan(10);
    }
  });

  test('that plugins put on each route have pages too', async () => {
    const server = create();
    await server.app.register(compress, { threshold: 0 });
    const rendered = await client(server)('/rendered', { 'accept-encoding': 'gzip' });
    expect(rendered.headers['content-encoding']).toBe('gzip');
  });
});

describe('routes', () => {
  test('win over rendering and come after built files', async () => {
    const server = create();
    server.app.get('/held', () => 'mine');
    server.app.get('/other/:id', () => 'mine');
    const get = client(server);
    expect((await get('/held')).body).toContain('held');
    expect((await get('/other/1')).body).toBe('mine');
    expect((await get('/other')).body).toBe('rendered http://127.0.0.1/other');
  });

  test('keep their errors, which are no business of onError', async () => {
    const errors: unknown[] = [];
    const server = create({ onError: (error) => errors.push(error) });
    server.app.get('/broken', () => Promise.reject(new Error('of a route')));
    const answer = await client(server)('/broken');
    expect(answer.json()).toMatchObject({ statusCode: 500, message: 'of a route' });
    expect(errors).toEqual([]);
  });

  test('parse no content that is refused for its method', async () => {
    const server = create();
    const answer = await client(server)('/held', { 'content-type': 'text/odd' }, 'POST');
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  test("of the user's that would take every page are refused at start", async () => {
    const server = createFastifySsrServer(createSite());
    server.app.get('/*', () => 'all mine');
    await expect(server.app.ready()).rejects.toMatchObject({ code: 'FST_ERR_DUPLICATED_ROUTE' });
  });

  test('have no decorators of ours, and @fastify/static of their own', async () => {
    const server = create();
    const root = createSite().files.folder;
    await server.app.register(fastifyStatic, { root, prefix: '/files/', preCompressed: true });
    const get = client(server);
    expect((await get('/files/large.txt')).headers['cache-control']).toBe('public, max-age=0');
    expect((await get('/large.txt')).headers['cache-control']).toBe(
      'public, max-age=0, must-revalidate',
    );

    const plain = create();
    plain.app.get('/decorated', (_, reply) => 'sendFile' in reply);
    expect((await client(plain)('/decorated')).json()).toBe(false);
  });
});

describe('paths without a route or page', () => {
  test('are a plain 404, also where a route calls for it', async () => {
    const server = create();
    server.app.get('/deliberate', (_, reply) => reply.callNotFound());
    for (const url of ['/nobody', '/deliberate']) {
      const answer = await client(server)(url);
      expect([answer.statusCode, answer.body]).toEqual([404, '404 Not Found\n']);
    }
  });

  test('go to the not-found handler that the app has', async () => {
    const server = create();
    server.app.setNotFoundHandler((_, reply) => reply.code(404).send('lost'));
    expect((await client(server)('/nobody')).body).toBe('lost');
    expect((await client(server)('/rendered')).statusCode).toBe(200);
  });
});

describe("what Fastify's router refuses", () => {
  test('a malformed target has our answer', async () => {
    const answer = await client(create())('/%ff');
    expect([answer.statusCode, answer.body]).toEqual([400, '400 Bad Request\n']);
  });

  test('anything else has its own, or that of frameworkErrors', async () => {
    const url = `/users/${'a'.repeat(200)}`;
    const usual = create();
    usual.app.post('/users/:id', () => 'never');
    expect((await client(usual)(url, {}, 'POST')).json()).toMatchObject({
      statusCode: 414,
      code: 'FST_ERR_MAX_PARAM_LENGTH',
    });

    const chosen = create({
      fastify: { frameworkErrors: (error, _, reply) => void reply.send(error.code as never) },
    });
    chosen.app.post('/users/:id', () => 'never');
    expect((await client(chosen)(url, {}, 'POST')).body).toBe('FST_ERR_MAX_PARAM_LENGTH');
  });
});

test('a page without a media type gets none', async () => {
  const server = create({ engine: () => new Response(new TextEncoder().encode('bytes')) });
  const { headers, body } = await client(server)('/rendered');
  expect(body).toBe('bytes');
  expect(headers['content-length']).toBe('5');
  expect(headers).not.toHaveProperty('content-type');
});

describe('options', () => {
  test('are refused by name', () => {
    const invalid = { code: 'NG_SSR_OPTION_INVALID' };
    const of = (options: object) => () => createFastifySsrServer({ ...createSite(), ...options });
    const unknown = { code: 'NG_SSR_OPTION_UNKNOWN', message: /"logger"/ };
    expect(of({ logger: true })).toThrow(expect.objectContaining({ code: unknown.code }));
    expect(of({ logger: true })).toThrow(unknown.message);
    expect(of({ fastify: true })).toThrow(expect.objectContaining(invalid));
    expect(of({ fastify: null })).toThrow(/^fastify is null/);
    expect(of({ serveHits: 'side' })).toThrow(/^serveHits is "side"/);
  });

  test('of Fastify reach it: its logger logs a hit', async () => {
    const stream = new PassThrough({ encoding: 'utf8' });
    const server = create({ fastify: { logger: { stream } } });
    await client(server)('/held');
    const lines = String(stream.read()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { req: { url: '/held' } },
      { res: { statusCode: 200 }, msg: 'request completed' },
    ]);
  });

  test('a request context is made of request and reply', async () => {
    const engine = (_: Request, context: unknown) => new Response(String(context));
    const server = create({
      engine,
      requestContext: (request, reply) => [request.id, reply.statusCode],
    });
    expect((await client(server)('/rendered')).body).toMatch(/^req-\w+,200$/);
  });
});

describe('reqHandler', () => {
  async function serve(server: ReturnType<typeof create>): Promise<string> {
    const http = createServer(server.reqHandler).listen(0, '127.0.0.1');
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  test('is what the Angular CLI looks for', () => {
    expect(create().reqHandler).toHaveProperty('__ng_node_request_handler__', true);
  });

  test('waits for plugins, once', async () => {
    const server = create();
    let loaded = 0;
    server.app.register(async (app) => {
      await new Promise((resolve) => setImmediate(resolve));
      loaded++;
      app.get('/late', () => 'late');
    });
    const url = await serve(server);
    const answers = await Promise.all(
      ['/late', '/held', '/rendered'].map((path) => fetch(url + path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await answers[0]!.text()).toBe('late');
    expect(loaded).toBe(1);
  });

  test('answers 500 when a plugin fails, and says why', async () => {
    const errors: { cause?: unknown }[] = [];
    const server = createFastifySsrServer({
      ...createSite(),
      onError: (error) => errors.push(error),
    });
    server.app.register(() => Promise.reject(new Error('no database')));
    const url = await serve(server as never);
    expect((await fetch(`${url}/held`)).status).toBe(500);
    expect(errors[0]?.cause).toMatchObject({ message: 'no database' });
  });
});

describe('listening', () => {
  test('app.listen has the pages too, after middleware and before it', async () => {
    for (const serveHits of ['after-middleware', 'before-middleware'] as const) {
      const { app } = create({ serveHits });
      const hooked: string[] = [];
      app.addHook('onRequest', async ({ url }) => void hooked.push(url));
      const origin = await app.listen({ port: 0, host: '127.0.0.1' });
      expect(await (await fetch(`${origin}/held`)).text()).toContain('held');
      expect(await (await fetch(`${origin}/x`)).text()).toBe(`rendered ${origin}/x`);
      expect(hooked).toEqual(serveHits === 'before-middleware' ? ['/x'] : ['/held', '/x']);
    }
  });

  test('listen rejects when the port is taken or none', async () => {
    const { port } = await create().listen({ port: 0, announce: false });
    await expect(create().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(create().listen({ port: -1 })).rejects.toMatchObject({
      code: 'NG_SSR_OPTION_INVALID',
    });
  });

  test('close answers what is in flight, then runs the onClose hooks', async () => {
    const events: string[] = [];
    const renders = new EventEmitter();
    const engine = async () => {
      renders.emit('started');
      const [page] = await once(renders, 'release');
      return page as Response;
    };
    const server = createFastifySsrServer(createSite(engine));
    server.app.addHook('onResponse', async () => void events.push('answered'));
    server.app.addHook('onClose', async () => void events.push('onClose'));
    const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
    const started = once(renders, 'started');
    const answer = fetch(`http://127.0.0.1:${port}/slow`);
    await started;
    const closed = server.close();
    renders.emit('release', new Response('page'));
    expect(await (await answer).text()).toBe('page');
    await closed;
    expect(events).toEqual(['answered', 'onClose']);
  });
});
