import { createFastifySsrServer, ssrPlugin, type StoredPages } from '@ng-ssr/fastify/server';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createStoredSite,
  expectStoredPages,
  PURGE_ENDPOINT,
  PURGE_FIELDS,
} from '../../node/test/stored-site.ts';

const getFrom = (app: FastifyInstance) => async (url: string) =>
  (await app.inject({ url, headers: { host: '127.0.0.1' } })).body;

function createApp(): FastifyInstance {
  const app = Fastify();
  onTestFinished(() => app.close());
  return app;
}

test('the server purges and shows its stored pages, and leaves the shared store', async () => {
  const { options, store } = createStoredSite();
  const server = createFastifySsrServer(options);
  await expectStoredPages(server.cache, store, getFrom(server.app));
  expect(store.isClosed).toBe(false);
  await server.close();
  expect(store.isClosed).toBe(true);
});

describe('the plugin', () => {
  test('decorates the app with its stored pages, and leaves the shared store', async () => {
    const { options, store } = createStoredSite();
    const app = Fastify();
    await app.register(ssrPlugin, { ...options, decorator: 'pages' });
    await expectStoredPages(app.getDecorator<StoredPages>('pages'), store, getFrom(app));
    await app.close();
    expect(store.isClosed).toBe(true);
  });

  test('decorates one app under a name for each registration, and no other scope', async () => {
    const app = createApp();
    const shop = createStoredSite();
    const blog = createStoredSite();
    const endpoint = (prefix: string) => ({ path: `${prefix}/purge`, token: 'x'.repeat(16) });
    await app.register(ssrPlugin, {
      ...shop.options,
      cache: { purgeEndpoint: endpoint('/shop') },
      prefix: '/shop',
      decorator: 'shop',
    });
    let inner: FastifyInstance | undefined;
    await app.register(async (scope) => {
      inner = scope;
      await scope.register(ssrPlugin, {
        ...blog.options,
        cache: { purgeEndpoint: endpoint('/blog') },
        prefix: '/blog/',
        decorator: 'blog',
      });
    });
    await getFrom(app)('/blog/a');
    expect(inner?.getDecorator<StoredPages>('blog').inspect().count).toBe(1);
    expect(inner?.getDecorator<StoredPages>('shop').inspect().count).toBe(0);
    expect([app.hasDecorator('shop'), app.hasDecorator('blog')]).toEqual([true, false]);
  });

  test('refuses a name that is none', async () => {
    const app = createApp();
    app.register(ssrPlugin, { ...createStoredSite().options, decorator: '' });
    await expect(app.ready()).rejects.toMatchObject({ code: 'NG_SSR_OPTION_INVALID' });
  });

  test('has the endpoint for purges, whatever parses the content of others', async () => {
    const { options, store } = createStoredSite();
    const app = createApp();
    await app.register(ssrPlugin, options);
    app.post('/mine', (request) => request.body);
    const purge = (payload: string, headers: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: PURGE_ENDPOINT.path,
        payload,
        headers: { ...PURGE_FIELDS, ...headers },
      });
    expect((await purge('{"path":"/a"}')).json()).toEqual({ purged: { path: '/a' } });
    const texts = await purge('{"tag":"letters"}', { 'content-type': 'text/x-unknown' });
    expect(texts.statusCode).toBe(200);
    expect(store.purges).toEqual([
      { path: '/a', hard: false },
      { tag: 'letters', hard: false },
    ]);
    expect((await purge('{"path":')).statusCode).toBe(400);
    const unknown = await purge('{"path":"/a"}', { authorization: 'Bearer x' });
    expect([unknown.statusCode, unknown.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const get = await app.inject({ url: PURGE_ENDPOINT.path, headers: { host: '127.0.0.1' } });
    expect([get.statusCode, get.headers['allow']]).toEqual([405, 'POST']);
    const mine = await app.inject({ method: 'POST', url: '/mine', payload: { a: 1 } });
    expect(mine.json()).toEqual({ a: 1 });
  });

  test('has it below its prefix, and refuses one elsewhere', async () => {
    const { options, store } = createStoredSite();
    const at = (path: string) => ({
      ...options,
      prefix: '/shop',
      cache: { ...options.cache, purgeEndpoint: { ...PURGE_ENDPOINT, path } },
    });
    const app = createApp();
    await app.register(ssrPlugin, at('/shop/purge'));
    const purged = await app.inject({
      method: 'POST',
      url: '/shop/purge',
      headers: PURGE_FIELDS,
      payload: { tag: 'letters' },
    });
    expect(purged.statusCode).toBe(200);
    expect(store.purges).toHaveLength(1);
    const other = createApp();
    other.register(ssrPlugin, at('/purge'));
    await expect(other.ready()).rejects.toThrow(
      'cache.purgeEndpoint.path is "/purge" (string): allowed is a path below the plugin\'s prefix',
    );
  });
});
