import {
  createFastifySsrServer,
  ssrPlugin,
  type StoredPages,
  withPurgeEndpoint,
  withSharedStore,
} from '@ng-ssr/fastify/server';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createStoredSite,
  echoPath,
  expectInvalidation,
  expectServerOfStoredPages,
  expectStoredPages,
  expectWholeTargets,
  PURGE_ENDPOINT,
  PURGE_HEADERS,
} from '../../node/test/stored-site.ts';

const getFrom = (app: FastifyInstance) => async (url: string) =>
  (await app.inject({ url, headers: { host: '127.0.0.1' } })).body;

function createApp(): FastifyInstance {
  const app = Fastify();
  onTestFinished(() => app.close());
  return app;
}

test('the server purges and shows its stored pages, and leaves the shared store', () =>
  expectServerOfStoredPages(createFastifySsrServer, async ({ app }) => getFrom(app)));

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
      cache: {},
      features: [withPurgeEndpoint(endpoint('/shop')), withSharedStore(shop.store)],
      prefix: '/shop',
      decorator: 'shop',
    });
    let inner: FastifyInstance | undefined;
    await app.register(async (scope) => {
      inner = scope;
      await scope.register(ssrPlugin, {
        ...blog.options,
        cache: {},
        features: [withPurgeEndpoint(endpoint('/blog')), withSharedStore(blog.store)],
        prefix: '/blog/',
        decorator: 'blog',
      });
    });
    await getFrom(app)('/blog/a');
    expect(inner?.getDecorator<StoredPages>('blog').inspect().count).toBe(1);
    expect(inner?.getDecorator<StoredPages>('shop').inspect().count).toBe(0);
    expect([app.hasDecorator('shop'), app.hasDecorator('blog')]).toEqual([true, false]);
  });

  test('has a page for each path below its prefix', async () => {
    const app = createApp();
    const { options } = createStoredSite();
    app.register(ssrPlugin, { ...options, engine: echoPath, features: [], prefix: '/shop' });
    await expectWholeTargets(getFrom(app));
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
        headers: { ...PURGE_HEADERS, ...headers },
      });
    expect((await purge('{"path":"/a"}')).json()).toEqual({
      purged: { path: '/a' },
      here: 0,
      elsewhere: ['store'],
    });
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
      features: [withPurgeEndpoint({ ...PURGE_ENDPOINT, path }), withSharedStore(store)],
    });
    const app = createApp();
    await app.register(ssrPlugin, at('/shop/purge'));
    const purged = await app.inject({
      method: 'POST',
      url: '/shop/purge',
      headers: PURGE_HEADERS,
      payload: { tag: 'letters' },
    });
    expect(purged.statusCode).toBe(200);
    expect(store.purges).toHaveLength(1);
    const other = createApp();
    other.register(ssrPlugin, at('/purge'));
    await expect(other.ready()).rejects.toThrow(
      'withPurgeEndpoint.path is "/purge" (string); allowed: a path below the plugin\'s prefix',
    );
  });
});

test.each(['', '/below'])(
  'a route of the app that answers a POST with success invalidates its pages: "%s"',
  async (prefix) => {
    const app = createApp();
    await app.register(ssrPlugin, { ...createStoredSite().options, features: [], prefix });
    app.post(`${prefix}/p`, (_request, reply) => reply.code(204).send());
    app.post(`${prefix}/refused`, (_request, reply) => reply.code(403).send());
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    await expectInvalidation(fetch, origin + prefix);
  },
);

test.each(['after-middleware', 'before-middleware'] as const)(
  'what rewriteUrl makes of the target is that of hits and of renders: %s',
  async (serveHits) => {
    const { options } = createStoredSite();
    const rewritten: Readonly<Record<string, string>> = { '/old': '/new', '/new': '/newest' };
    const rewriteUrl = ({ url = '' }: { url?: string | undefined }): string =>
      rewritten[url] ?? url;
    const server = createFastifySsrServer({
      ...options,
      engine: echoPath,
      serveHits,
      fastify: { rewriteUrl },
    });
    onTestFinished(() => server.close());
    const { url } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
    const pages = [];
    for (const path of ['old', 'new', 'plain', 'old', 'new']) {
      pages.push(await (await fetch(url + path)).text());
    }
    expect(pages).toEqual(['/new', '/newest', '/plain', '/new', '/newest']);
  },
);
