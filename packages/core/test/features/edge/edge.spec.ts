import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import {
  channelOf,
  type Edge,
  type EdgeEvent,
  type EdgePage,
  type PageStore,
  type Purge,
  type Feature,
  withEdge,
  withNonce,
  withSharedStore,
} from '@ng-ssr/core';
import { headersBeside, headersForOne, isForCaches } from '@ng-ssr/core/adapter';
import { collectMetrics } from '@ng-ssr/core/prometheus';
import { plainExchange } from '../../plain-exchange.ts';
import { Shelf } from '../shared-store/fake-page-store.ts';
import {
  html,
  type Page,
  type Seen,
  type StoredServer,
  storedServer,
} from '../../pages/stored-server.ts';

/** An edge that shows what it is asked. */
interface FakeEdge extends Edge {
  readonly purges: { readonly tags: readonly string[]; readonly isSoft: boolean }[];
  readonly pages: EdgePage[];
  /** Settles the next purges; undefined: at once. */
  onPurge: (() => Promise<void> | void) | undefined;
}

function fakeEdge(settleMs = 0): FakeEdge {
  const purges: { tags: readonly string[]; isSoft: boolean }[] = [];
  const pages: EdgePage[] = [];
  return {
    name: 'Fake',
    settleMs,
    purges,
    pages,
    onPurge: undefined,
    noStoreHeaders: ['cdn-cache-control', 'no-store'],
    headersOf(page) {
      pages.push(page);
      if (page.tags.includes('too-much')) return undefined;
      return ['cdn-cache-control', `max-age=${page.freshSeconds}`, 'xkey', page.tags.join(' ')];
    },
    async purge(tags, isSoft) {
      purges.push({ tags, isSoft });
      await this.onPurge?.();
    },
  };
}

const RULE = { sMaxAge: 60, staleWhileRevalidate: 30, staleIfError: 90, tags: ['all'] };

function serverWith(
  edge: Edge,
  page: Page = (_request, count) => html(`render ${count}`, {}),
  others: readonly Feature[] = [],
): StoredServer {
  const rules = {
    '/**': RULE,
    '/query/**': { sMaxAge: 60, vary: { query: ['q'] } },
    '/cookies/**': { sMaxAge: 60, vary: { cookies: ['theme'] } },
    '/headers/**': { sMaxAge: 60, vary: { headers: ['accept-language'] } },
    '/browsers/**': { sMaxAge: 60, maxAge: 5 },
    '/own/**': {},
    '/never/**': { cache: false as const },
  };
  return storedServer(page, { routeRules: rules, features: [withEdge(edge), ...others] });
}

function tagsOf({ header }: Seen): readonly string[] {
  return header('xkey')?.split(' ') ?? [];
}

async function tagsAt(server: StoredServer, target: string): Promise<readonly string[]> {
  return tagsOf(await server.get(target));
}

it('an edge gets tags and a lifetime of its own, and browsers validate', async () => {
  const edge = fakeEdge();
  const server = serverWith(edge);
  for (const seen of [await server.get('/a/b'), await server.get('/a/b')]) {
    expect(seen.header('cdn-cache-control')).toBe('max-age=60');
    expect(seen.header('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(tagsOf(seen)).toHaveLength(4);
    expect(tagsOf(seen)).toContain('all');
    expect(tagsOf(seen)[0]).toMatch(/^ng-p-[\da-f]{16}$/);
  }
  expect(edge.pages).toHaveLength(1);
  expect(edge.pages[0]).toMatchObject({
    vary: [],
    freshSeconds: 60,
    staleWhileRevalidateSeconds: 30,
    staleIfErrorSeconds: 90,
  });
  const browsers = await server.get('/browsers/1');
  expect(browsers.header('cache-control')).toBe('public, max-age=5, must-revalidate');
});

it('a 304 has the headers too, so that the edge renews what it has', async () => {
  const server = serverWith(fakeEdge());
  const etag = (await server.get('/')).header('etag')!;
  const seen = await server.get('/', { 'if-none-match': etag });
  expect(seen.status).toBe(304);
  expect(seen.header('cdn-cache-control')).toBe('max-age=60');
  expect(tagsOf(seen)[0]).toMatch(/^ng-p-/);
});

it('all spellings of a path have one tag, and queries of it too', async () => {
  const server = serverWith(fakeEdge());
  const [tag] = await tagsAt(server, '/caf%c3%a9');
  for (const target of ['/caf%C3%A9/', '/caf%C3%A9?q=1', '/%63af%C3%A9']) {
    expect((await tagsAt(server, target))[0]).toBe(tag);
  }
  const [plain, ...others] = await tagsAt(server, '/query/1');
  expect(await tagsAt(server, '/query/1?q=2')).toEqual([plain, ...others]);
});

it.each<[string, string, Readonly<Record<string, string>>, string?]>([
  ['with a cookie in its key', '/cookies/1', {}],
  [
    'that the edge cannot take',
    '/own/1',
    { 'cache-control': 's-maxage=9', 'cache-tag': 'too-much' },
  ],
  ['with Vary: Cookie', '/own/1', { 'cache-control': 's-maxage=9', vary: 'Cookie' }],
  ['with Vary: Authorization', '/own/1', { 'cache-control': 's-maxage=9', vary: 'authorization' }],
  ['with Set-Cookie', '/', { 'cache-control': 'public, s-maxage=9', 'set-cookie': 'a=1' }],
  ['with a nonce', '/', { 'cache-control': 's-maxage=9' }, '<script nonce="abc12345"></script>'],
  [
    'of a route that is never stored',
    '/never/1',
    {
      'cache-control': 'public, s-maxage=9',
      'cdn-cache-control': 'max-age=9',
      'cache-tag': 'a',
    },
  ],
])('the edge does not keep a page %s', async (_name, target, headers, text = 'page') => {
  const server = serverWith(fakeEdge(), () => html(text, headers));
  for (let i = 0; i < 2; i++) {
    const seen = await server.get(target);
    expect(seen.header('xkey')).toBeUndefined();
    expect(seen.header('cache-tag')).toBeUndefined();
    expect(seen.header('cdn-cache-control')).toBe('no-store');
  }
});

it.each(['private', 'no-store', 'private, no-cache'])(
  'an answer for one client has no header for an edge: %s',
  async (value) => {
    const page: Page = () => html('page', { 'cache-control': value, 'cache-tag': 'a', xkey: 'b' });
    const seen = await serverWith(fakeEdge(), page).get('/own/1');
    expect(seen.headers.join()).not.toMatch(/xkey|cache-tag|cdn-cache-control/);
  },
);

it('a page that only this server may keep is not for the edge', async () => {
  const headers = { 'cache-control': 'no-store', 'cdn-cache-control': 'max-age=60' };
  const server = serverWith(fakeEdge(), () => html('page', headers));
  await server.get('/own/1');
  const hit = await server.get('/own/1');
  expect(hit.isHit).toBe(true);
  expect(hit.header('cdn-cache-control')).toBe('no-store');
  expect(hit.header('cache-control')).toBe('no-store');
});

it('pages with a nonce of withNonce() are never for the edge', async () => {
  const placeholder = 'bm9uY2Utbm9uY2U';
  const policy = `script-src 'nonce-${placeholder}'`;
  const page: Page = (_request, _count, _context, setup) =>
    html(`<script nonce="${setup!.nonce!.secret}"></script>`, {});
  const server = serverWith(fakeEdge(), page, [withNonce({ placeholder, policy })]);
  for (let i = 0; i < 2; i++) {
    const seen = await server.get('/');
    expect(seen.header('cache-control')).toBe('private, no-store');
    expect(seen.headers.join()).not.toMatch(/xkey|cdn-cache-control/);
  }
});

it('an edge is told by which headers a page varies', async () => {
  const edge = fakeEdge();
  await serverWith(edge).get('/headers/1');
  expect(edge.pages[0]!.vary).toEqual(['accept-language']);
});

it('a status of earlier middleware is not for the edge', async () => {
  const server = serverWith(fakeEdge());
  await server.get('/');
  const seen = await server.ask({ ...plainExchange('/'), status: 503 });
  expect(seen.status).toBe(503);
  expect(seen.header('xkey')).toBeUndefined();
  expect(seen.header('cdn-cache-control')).toBe('no-store');
});

it('of a Cache-Control of middleware, an answer for one client keeps no-store alone', () => {
  const headers = ['Cache-Control', 'private, no-cache, no-transform', 'x-a', '1'];
  expect(headersForOne(headers, undefined)).toBe(headers);
  expect(headersForOne(headers, 'public, max-age=9')).toBe(headers);
  expect(headersForOne(headers, 'max-age=9, No-Store')).toEqual([
    ...['Cache-Control', 'private, no-store, no-transform', 'x-a', '1'],
  ]);
  for (const name of ['cache-control', 'vercel-cdn-cache-control', 'xkey', 'pragma', 'etag']) {
    expect(isForCaches(name), name).toBe(true);
  }
  for (const name of ['set-cookie', 'vary', 'x-request-id', 'cache-status']) {
    expect(isForCaches(name), name).toBe(false);
  }
});

it('an answer beside a cookie or a private Cache-Control of middleware is not for the edge', async () => {
  const { headers } = await serverWith(fakeEdge()).get('/');
  expect(headersBeside(headers, 'public, max-age=9', false)).toBe(headers);
  for (const [value, setsCookie] of [
    ['PRIVATE', false],
    [undefined, true],
  ] as const) {
    const beside = headersBeside(headers, value, setsCookie);
    expect(beside).not.toContain('xkey');
    expect(beside[beside.indexOf('cdn-cache-control') + 1]).toBe('no-store');
  }
  const others = ['cdn-cache-control', 'max-age=9'];
  expect(headersBeside(others, 'private', false)).toBe(others);
});

it('purges reach the edge by the tags that pages have', async () => {
  const edge = fakeEdge();
  const server = serverWith(edge, () => html('page', { 'cache-tag': 'x y' }));
  const [path, root, folder] = await tagsAt(server, '/products/1');
  const { cache } = server.handler;
  await cache.purge({ path: '/products/1/' });
  await cache.purge({ prefix: '/products/', hard: true });
  await cache.purge({ prefix: '/prod', hard: true });
  await cache.purge({ prefix: '/' });
  await cache.purge({ tag: 'all' });
  expect(edge.purges).toEqual([
    { tags: [path], isSoft: true },
    { tags: [folder], isSoft: false },
    { tags: [root], isSoft: false },
    { tags: [root], isSoft: true },
    { tags: ['all'], isSoft: true },
  ]);
});

it.each(['a b', 'a,b', 'é', 'x'.repeat(129), 'ng-p-0123456789abcdef'])(
  'a tag that no edge takes is hashed alike in pages and purges: %s',
  async (tag) => {
    const edge = fakeEdge();
    const server = serverWith(edge);
    await server.handler.cache.purge({ tag });
    expect(edge.purges[0]!.tags[0]).toMatch(/^ng-t-[\da-f]{16}$/);
    await server.get('/a');
    const rules = { '/**': { sMaxAge: 60, tags: [tag] } };
    if (/[\s,]/.test(tag)) return;
    const features = [withEdge(edge)];
    const tagged = storedServer(() => html('page', {}), { routeRules: rules, features });
    expect(await tagsAt(tagged, '/a')).toContain(edge.purges[0]!.tags[0]);
  },
);

it('deep folders share the tag of the eighth', async () => {
  const edge = fakeEdge();
  const server = serverWith(edge);
  const deep = `/${'a/'.repeat(50)}`;
  const tags = await tagsAt(server, `${deep}page`);
  expect(tags).toHaveLength(10);
  await server.handler.cache.purge({ prefix: `${deep}b/` });
  expect(tags).toContain(edge.purges[0]!.tags[0]);
});

it('a purge resolves when the edge has confirmed it twice', async () => {
  const edge = fakeEdge(20);
  const server = serverWith(edge);
  let isDone = false;
  const purged = server.handler.cache.purge({ tag: 'a', hard: true }).then(() => (isDone = true));
  await new Promise((resolve) => (edge.onPurge = resolve as () => void));
  expect(isDone).toBe(false);
  await purged;
  const purge = { tags: ['a'], isSoft: false };
  expect(edge.purges).toEqual([purge, purge]);
});

it('purges that come meanwhile are sent together, each tag once', async () => {
  const edge = fakeEdge();
  const { cache } = serverWith(edge).handler;
  let confirm = (): void => undefined;
  edge.onPurge = () => new Promise<void>((resolve) => (confirm = resolve));
  const first = cache.purge({ tag: 'first' });
  await new Promise(setImmediate);
  const later = ['a', 'b', 'a'].map((tag) => cache.purge({ tag, hard: true }));
  const soft = ['a', 'c'].map((tag) => cache.purge({ tag }));
  edge.onPurge = undefined;
  confirm();
  await Promise.all([first, ...later, ...soft]);
  expect(edge.purges).toEqual([
    { tags: ['first'], isSoft: true },
    { tags: ['a', 'b'], isSoft: false },
    { tags: ['c'], isSoft: true },
  ]);
});

it('memory is purged before the edge is asked, and an edge that fails is named', async () => {
  const edge = fakeEdge();
  const server = serverWith(edge);
  await server.get('/');
  let seen: Seen | undefined;
  edge.onPurge = async () => {
    seen = await server.get('/');
    throw new Error('answered 503');
  };
  await expect(server.handler.cache.purge({ path: '/', hard: true })).rejects.toMatchObject({
    code: 'NG_SSR_EDGE_UNAVAILABLE',
    message: expect.stringMatching(/^Fake .*"path":"\/".*memory is purged.*answered 503/) as string,
  });
  expect(seen!.text).toContain('render 2');
  edge.onPurge = undefined;
  await server.handler.cache.purge({ path: '/', hard: true });
});

it('the store comes before the edge, which is purged even if the store fails', async () => {
  const edge = fakeEdge();
  const order: string[] = [];
  const shared = new Shelf().open();
  let purge = (asked: Purge): Promise<void> =>
    shared.purge(asked).then(() => void order.push('store'));
  const store: PageStore = { ...shared, purge: (asked) => purge(asked) };
  edge.onPurge = () => void order.push('edge');
  const { cache } = serverWith(edge, undefined, [withSharedStore(store)]).handler;
  await cache.purge({ tag: 'a' });
  expect(order).toEqual(['store', 'edge']);
  purge = () => Promise.reject(new Error('away'));
  const failed = expect(cache.purge({ tag: 'a' })).rejects;
  await failed.toMatchObject({ code: 'NG_SSR_STORE_UNAVAILABLE' });
  expect(order).toEqual(['store', 'edge', 'edge']);
});

it.each([true, false])(
  'a page that is purged while it renders is not for the edge: hard %s',
  async (hard) => {
    const edge = fakeEdge();
    let render = (): void => undefined;
    const server = serverWith(edge, async (_request, count) => {
      if (count === 1) await new Promise<void>((resolve) => (render = resolve));
      return html(`render ${count}`, {});
    });
    const first = server.get('/');
    await expect.poll(() => server.requests.length).toBe(1);
    await server.handler.cache.purge({ path: '/', hard });
    render();
    const old = await first;
    expect(old.text).toContain('render 1');
    expect(old.header('xkey')).toBeUndefined();
    expect(old.header('cdn-cache-control')).toBe('no-store');
  },
);

it('a page that a soft purge made stale is not for the edge, its successor is', async () => {
  const server = serverWith(fakeEdge());
  await server.get('/');
  await server.handler.cache.purge({ path: '/' });
  const stale = await server.get('/');
  expect(stale.text).toContain('render 1');
  expect(stale.header('cdn-cache-control')).toBe('no-store');
  await expect.poll(async () => (await server.get('/')).text).toContain('render 2');
  expect((await server.get('/')).header('cdn-cache-control')).toBe('max-age=60');
});

it('an unsafe request purges the edge of pages that it may have, and of no others', async () => {
  const edge = fakeEdge();
  const server = serverWith(edge);
  const [tag] = await tagsAt(server, '/a');
  const answer = { status: 204, header: () => undefined };
  server.handler.answered(plainExchange('/a', {}, 'POST'), answer);
  for (let i = 0; i < 1000; i++) {
    server.handler.answered(plainExchange(`/random-${i}`, {}, 'POST'), answer);
  }
  await expect.poll(() => edge.purges.length).toBeGreaterThan(0);
  expect(edge.purges).toEqual([{ tags: [tag], isSoft: false }]);
});

it('an invalidation that another process publishes reaches the edge if it has the page from here', async () => {
  const edge = fakeEdge();
  const shelf = new Shelf();
  const server = serverWith(edge, undefined, [withSharedStore(shelf.open())]);
  const other = serverWith(fakeEdge(), undefined, [withSharedStore(shelf.open())]);
  const [tag] = await tagsAt(server, '/a');
  await other.handler.cache.purge({ path: '/b', hard: true });
  await other.handler.cache.purge({ path: '/a', hard: true });
  await expect.poll(() => edge.purges.length).toBe(1);
  expect(edge.purges[0]!.tags).toEqual([tag]);
});

it('a failed purge of an invalidation is reported once', async () => {
  const edge = fakeEdge();
  const server = serverWith(edge);
  await server.get('/a');
  edge.onPurge = () => Promise.reject(new Error('away'));
  const answer = { status: 204, header: () => undefined };
  for (let i = 0; i < 3; i++) {
    server.handler.answered(plainExchange('/a', {}, 'POST'), answer);
    await expect.poll(() => edge.purges.length).toBe(i + 1);
  }
  await new Promise(setImmediate);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_EDGE_UNAVAILABLE']);
});

it('close sends second purges at once', async () => {
  const edge = fakeEdge(2 ** 31 - 1);
  const server = serverWith(edge);
  const purged = server.handler.cache.purge({ tag: 'a' });
  await expect.poll(() => edge.purges.length).toBe(1);
  await server.handler.close();
  await purged;
  expect(edge.purges).toHaveLength(2);
});

it('ng-ssr:edge and its metric say how purges went', async () => {
  const edge = fakeEdge();
  const { cache } = serverWith(edge).handler;
  const events: EdgeEvent[] = [];
  const listen = (event: EdgeEvent): void => void events.push(event);
  channelOf('ng-ssr:edge').subscribe(listen);
  const registry = new Registry();
  const end = collectMetrics(registry);
  await cache.purge({ tag: 'a' });
  edge.onPurge = () => Promise.reject(new Error('away'));
  await cache.purge({ tag: 'a' }).catch(() => undefined);
  channelOf('ng-ssr:edge').unsubscribe(listen);
  end();
  const metrics = await registry.metrics();
  for (const outcome of ['confirmed', 'failed']) {
    const labels = `{edge="Fake",outcome="${outcome}"}`;
    expect(metrics).toContain(`ng_ssr_edge_purge_duration_seconds_count${labels} 1`);
  }
  expect(events).toMatchObject([
    { edge: 'Fake', tags: 1, isConfirmed: true },
    { edge: 'Fake', tags: 1, isConfirmed: false },
  ]);
});

it.each([{}, 'varnish', { ...fakeEdge(), settleMs: -1 }, { ...fakeEdge(), purge: undefined }])(
  'an edge is checked when the server is created: %s',
  (edge) => {
    expect(() => serverWith(edge as Edge)).toThrow(
      expect.objectContaining({
        code: 'NG_SSR_OPTION_INVALID',
        message: expect.stringContaining('withEdge is ') as string,
      }),
    );
  },
);
