import type { Endpoint, Feature } from '@ng-ssr/core/plug';
import { ssrPlugin, withInspector } from '@ng-ssr/fastify/server';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSite } from './site.ts';

function createApp(): FastifyInstance {
  const app = Fastify();
  onTestFinished(() => app.close());
  return app;
}

const get = (app: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: '127.0.0.1', ...headers } });

test('pages come after the routes of the app, and its hooks before them', async () => {
  const app = createApp();
  app.register(ssrPlugin, createSite());
  app.addHook('preHandler', async (_, reply) => void reply.header('x-app', 'yes'));
  app.get('/mine', () => 'mine');
  expect((await get(app, '/mine')).body).toBe('mine');
  for (const url of ['/held', '/rendered', '/large.txt']) {
    const answer = await get(app, url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['x-app']).toBe('yes');
  }
  expect((await get(app, '/held')).headers['cache-status']).toBe('ng-ssr; hit');
  expect((await get(app, '/held', { host: 'a b' })).statusCode).toBe(400);
});

test('withInspector() takes POST below its default path, too', async () => {
  vi.stubEnv('NG_SSR_TOKEN', 'a-token-of-the-environment');
  onTestFinished(() => void vi.unstubAllEnvs());
  const app = createApp();
  app.register(ssrPlugin, { ...createSite(), features: [withInspector()] });
  const headers = { host: '127.0.0.1', authorization: 'Bearer a-token-of-the-environment' };
  const answer = await app.inject({
    method: 'POST',
    url: '/_ng-ssr/inspector/explain',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify({ url: '/held' }),
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ answer: 'held' });
});

test('the endpoint of any feature takes POST at the path that it names, and unread content of any type', async () => {
  const text = (body: string) => ({
    ...{ status: 200, headers: ['Content-Type', 'text/plain'], body: Buffer.from(body) },
  });
  const endpoint: Endpoint = {
    route: { option: 'echo.path', path: '/_echo', hasPathsBelow: true },
    matches: ({ target }) => target.startsWith('/_echo'),
    answer: async ({ exchange, method, target }) =>
      text(`${method} ${target} ${Buffer.from((await exchange.content(100)) ?? []).toString()}`),
    says: () => ({ answer: 'server', status: 200, reasons: [] }),
  };
  const withEcho = (): Feature => ({ name: 'echo', install: () => ({ endpoints: [endpoint] }) });
  const app = createApp();
  app.register(ssrPlugin, { ...createSite(), features: [withEcho()] });
  for (const url of ['/_echo', '/_echo/below?x=1']) {
    const headers = { host: '127.0.0.1', 'content-type': 'text/x-unknown' };
    const answer = await app.inject({ method: 'POST', url, headers, payload: 'hello' });
    expect(answer.body).toBe(`POST ${url} hello`);
  }
  const other = createApp();
  other.register(ssrPlugin, { ...createSite(), features: [withEcho()], prefix: '/shop' });
  await expect(other.ready()).rejects.toThrow('echo.path is "/_echo" (string); allowed: a path');
});

test('below a prefix, pages are found by the rest and rendered by the whole URL', async () => {
  const app = createApp();
  app.register(ssrPlugin, { ...createSite(), prefix: '/shop' });
  expect((await get(app, '/shop/held')).body).toContain('held');
  expect((await get(app, '/shop/held?x=1')).body).toContain('held');
  for (const url of ['/shop', '/shop/', '/shop?x=1'])
    expect((await get(app, url)).body).toContain('home');
  expect((await get(app, '/shop/x?y=1')).body).toBe('rendered http://127.0.0.1/shop/x?y=1');
  expect((await get(app, '/shop/large.txt', { range: 'bytes=0-9' })).body).toBe('xxxxxxxxxx');
  // Spelt in another way, it is nobody's built file.
  expect((await get(app, '/%73hop/held')).body).toBe('rendered http://127.0.0.1/shop/held');
  for (const url of ['/held', '/shopping', '/']) {
    expect((await get(app, url)).json()).toMatchObject({ message: `Route GET:${url} not found` });
  }
  for (const url of ['/shop//evil', '/shop/..%2fsecret', '/shop/%5cx']) {
    expect((await get(app, url)).statusCode).toBe(400);
  }
});

test('siblings and the app see nothing of it', async () => {
  const app = createApp();
  app.setNotFoundHandler((_, reply) => reply.code(404).send('of the app'));
  app.register(ssrPlugin, { ...createSite(), prefix: '/shop' });
  app.register(ssrPlugin, { ...createSite(), prefix: '/blog/' });
  app.register(
    async (scope) => {
      scope.get('/seen', (_, reply) => ({ decorated: 'sendFile' in reply }));
    },
    { prefix: '/api' },
  );
  expect((await get(app, '/api/seen', { host: 'elsewhere' })).json()).toEqual({ decorated: false });
  expect((await get(app, '/shop/nobody')).body).toBe('of the app');
  expect((await get(app, '/blog/held')).body).toContain('held');
  expect((await app.inject({ method: 'POST', url: '/shop/held' })).body).toBe('of the app');
});

test('hooks of its own scope stay there', async () => {
  const app = createApp();
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) => void reply.header('x-scope', 'pages'));
    await scope.register(ssrPlugin, createSite());
  });
  app.get('/mine', () => 'mine');
  expect((await get(app, '/held')).headers['x-scope']).toBe('pages');
  expect((await get(app, '/mine')).headers['x-scope']).toBeUndefined();
});

test("options are refused by name; Fastify's are not", async () => {
  const app = Fastify();
  app.register(ssrPlugin, { ...createSite(), allowedHost: ['x'] } as never);
  await expect(app.ready()).rejects.toMatchObject({ code: 'NG_SSR_OPTION_UNKNOWN' });
  const other = createApp();
  other.register(ssrPlugin, { ...createSite(), prefix: '/a', logLevel: 'warn' });
  await other.ready();
});

test('the ready probe is 503 as soon as the app closes, while other plugins still do', async () => {
  // Fastify's own 503 would hide it.
  const app = Fastify({ return503OnClosing: false });
  app.register(ssrPlugin, { ...createSite(), probes: { ready: '/readyz' } });
  let release = (): void => undefined;
  const isHeld = new Promise<void>((closing) => {
    app.register(async (scope) => {
      scope.addHook('preClose', () => {
        closing();
        return new Promise<void>((resolve) => (release = resolve));
      });
    });
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const isReady = async (): Promise<number> => (await fetch(`${origin}/readyz`)).status;
  expect(await isReady()).toBe(200);
  const closed = app.close();
  await isHeld;
  expect(await isReady()).toBe(503);
  release();
  await closed;
});
