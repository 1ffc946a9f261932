/** What the real build answers over HTTP, for each engine and adapter. */
import { request } from 'node:http';
import { isShort } from '@ng-ssr/conformance/fuzz';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodedBuild } from './encoded-build.ts';
import {
  ADAPTERS_OF,
  ENGINES,
  type ExampleServer,
  PURGE_TOKEN,
  startExample,
} from './example-server.ts';

/** The number in a page's small print. */
const renderCount = (page: string) => Number(/id="render-count"[^>]*>(\d+)</.exec(page)?.[1]);

const encoded = { app: encodedBuild('app'), common: encodedBuild('common') };
/** In a short run one of each kind: the conformance suite has every adapter. */
const SHORT: readonly string[] = [
  ...['app koa true', 'app node true', 'app hono true', 'app elysia-bun true'],
  ...['common koa true', 'app node false'],
];
const cases = [
  ...ENGINES.flatMap((engine) =>
    ADAPTERS_OF[engine].map((adapter) => ({ engine, adapter, fast: true })),
  ),
  // Adapters take no part in how a page is rendered.
  ...ENGINES.map((engine) => ({ engine, adapter: 'node' as const, fast: false })),
].filter(({ engine, adapter, fast }) => !isShort || SHORT.includes(`${engine} ${adapter} ${fast}`));
describe.each(cases)('$adapter, $engine engine, fast: $fast', ({ engine, adapter, fast }) => {
  let server: ExampleServer;
  beforeAll(async () => {
    // The core makes encodings, whatever the adapter: one of them takes the build as it is.
    const env = fast ? {} : { RENDER_FAST: 'false' };
    server = await startExample(
      engine,
      adapter,
      env,
      adapter === 'koa' ? undefined : encoded[engine],
    );
  });
  afterAll(() => server?.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.origin + path, {
      method,
      redirect: 'manual',
      headers: { 'accept-encoding': 'identity', ...headers },
    });

  test.each([
    ['/', 200, 'ng-ssr; hit'],
    ['/about', 200, 'ng-ssr; hit'],
    ['/catalog', 200, 'ng-ssr; hit'],
    ['/guide', 200, 'ng-ssr; hit'],
    ['/large', 200, 'ng-ssr; hit'],
    ['/products/7', 200, 'ng-ssr; fwd=uri-miss; stored'],
    ['/products/999', 404, 'ng-ssr; fwd=uri-miss; detail=no-freshness'],
    ['/lazy', 200, 'ng-ssr; fwd=uri-miss; detail=no-freshness'],
    // Only the app engine has server routes, which say that the page is for the browser to render.
    [
      '/client',
      200,
      engine === 'app' ? 'ng-ssr; hit' : 'ng-ssr; fwd=uri-miss; detail=no-freshness',
    ],
    ['/missing', 404, 'ng-ssr; fwd=uri-miss; detail=no-freshness'],
    ['/no/such/page', 404, 'ng-ssr; fwd=uri-miss; detail=no-freshness'],
    ['/greeting', 200, 'ng-ssr; fwd=uri-miss; stored'],
    ['/account', 200, 'ng-ssr; fwd=uri-miss; detail=no-store'],
    ['/hello', 200, 'ng-ssr; fwd=uri-miss; detail=set-cookie'],
    ['/boom', 500, 'ng-ssr; detail=NG_SSR_RENDER_FAILED'],
    // Angular's app engine has no page of this one.
    [
      '/boom?at=navigation',
      ...(engine === 'app'
        ? ([500, 'ng-ssr; detail=NG_SSR_RENDER_FAILED'] as const)
        : ([200, 'ng-ssr; fwd=uri-miss; detail=errors'] as const)),
    ],
    ['/boom?at=render', 200, 'ng-ssr; fwd=uri-miss; detail=errors'],
  ])('%s is a %d (%s)', async (path, status, cacheStatus) => {
    // A server loads the application after its first answers, and then knows the pages that need no render.
    const statusOf = async () => (await get(path)).headers.get('cache-status');
    if (path === '/client') await expect.poll(statusOf).toBe(cacheStatus);
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-status')).toBe(cacheStatus);
    expect(answer.headers.get('x-served-by')).toBe(adapter);
    const body = await answer.text();
    if (status === 500) expect(body).toBe('500 Internal Server Error\n');
    else expect(body).toContain('</html>');
  });

  test('the cart follows the page of a visitor with a name, and the same page is cached for all others', async () => {
    for (const path of ['/', '/catalog', '/products/3']) {
      await (await get(path)).text();
      const plain = await get(path);
      const other = await get(path, { cookie: 'theme=dark' });
      const own = await get(path, { cookie: 'theme=dark; user=Ada' });
      expect(plain.headers.get('etag')).toBeTypeOf('string');
      expect(other.headers.get('etag')).toBe(plain.headers.get('etag'));
      expect(plain.headers.get('cache-status')).toMatch(/^ng-ssr; hit/);
      expect(own.headers.get('cache-control')).toBe('private, no-cache, no-transform');
      expect(own.headers.get('etag')).toBeNull();
      const page = await plain.text();
      expect(page).not.toContain('data-ng-ssr-slot');
      expect(await other.text()).toBe(page);
      const slots =
        /<script type="application\/json" data-ng-ssr-slot="(\w+)">([^]*?)\n<\/script>/g;
      const completed = await own.text();
      const sent = [...completed.matchAll(slots)].map(([, name, data]) => [
        name,
        JSON.parse(data!),
      ]);
      const { cart, recommendations } = Object.fromEntries(sent) as Record<string, unknown>;
      expect(cart).toEqual({ name: 'Ada', pieces: { '6': 2, '23': 1 } });
      expect(recommendations !== undefined).toBe(path.startsWith('/products/'));
      // The application's script is moved, and starts while the cart is under way.
      const script = /<script src="main-[^>]*><\/script>/;
      const rest = completed
        .replace(slots, '')
        .replace(/<script async src="main-[^>]*><\/script>/, '');
      expect(rest).toBe(page.replace(script, ''));
    }
  });

  test('a router redirect is a redirect', async () => {
    const answer = await get('/old');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/about');
  });

  test('a page sets a header and a cookie, and reads the request', async () => {
    const answer = await get('/hello');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-greeting')).not.toBeNull();
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('a server route declares the headers of a prerendered page and a status', async () => {
    const guide = await get('/guide');
    const gone = await get('/gone');
    // CommonEngine builds have no server routes.
    const declared = engine === 'app';
    expect(guide.headers.get('x-content-source')).toBe(declared ? 'guide' : null);
    expect(guide.headers.get('cache-control')).toBe(declared ? 'public, max-age=300' : 'no-cache');
    expect(gone.status).toBe(declared ? 410 : 200);
  });

  test('GET / has validators, encodings with tags of their own, and 304s', async () => {
    const identity = await get('/');
    const page = Buffer.from(await identity.arrayBuffer());
    const tag = identity.headers.get('etag')!;
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect(identity.headers.get('content-length')).toBe(String(page.byteLength));
    expect(identity.headers.get('cache-control')).toBe('no-cache');
    expect(identity.headers.get('vary')).toBe('Accept-Encoding');

    const readBrotli = async (): Promise<string | null> =>
      (await get('/', { 'accept-encoding': 'br' }, 'HEAD')).headers.get('content-encoding');
    await expect.poll(readBrotli).toBe('br');
    const brotli = await get('/', { 'accept-encoding': 'br' });
    const length = Number(brotli.headers.get('content-length'));
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(page.byteLength / 4);
    expect(brotli.headers.get('etag')).not.toBe(tag);
    expect(Buffer.from(await brotli.arrayBuffer()).equals(page)).toBe(true);

    for (const list of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await get('/', { 'if-none-match': list });
      expect(answer.status, list).toBe(304);
      expect(answer.headers.get('etag'), list).toBe(tag);
      expect(answer.headers.get('vary'), list).toBe('Accept-Encoding');
      expect(answer.headers.get('cache-control'), list).toBe('no-cache');
    }
    const head = await get('/', {}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(page.byteLength));
    expect(head.headers.get('etag')).toBe(tag);
  });

  test('a product is rendered once, and answered from memory after that', async () => {
    const first = await get('/products/11');
    const page = await first.text();
    expect(first.headers.get('cache-status')).toBe('ng-ssr; fwd=uri-miss; stored');
    expect(renderCount(page)).toBe(1);
    for (const headers of [{}, { cookie: 'theme=dark' }, { 'accept-language': 'fr' }]) {
      const hit = await get('/products/11', headers);
      expect(hit.status).toBe(200);
      expect(hit.headers.get('cache-status')).toMatch(/^ng-ssr; hit; ttl=\d+$/);
      expect(hit.headers.get('age')).toMatch(/^\d+$/);
      expect(hit.headers.get('x-served-by')).toBe(adapter);
      expect(await hit.text()).toBe(page);
    }
    const { headers } = await get('/products/11');
    expect(headers.get('cache-control')).toBe(
      'public, max-age=0, s-maxage=10, stale-while-revalidate=60',
    );
    expect(headers.get('cache-tag')).toBe('products, product-11');
    const again = await get('/products/11', { 'if-none-match': headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  test('many who ask for a product at once share one render', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/products/12')));
    const counts = await Promise.all(
      answers.map(async (answer) => renderCount(await answer.text())),
    );
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  test('a stored page that is asked for again has encodings', async () => {
    const readBrotli = async (): Promise<string | null> => {
      const answer = await get('/products/13', { 'accept-encoding': 'br' });
      expect(renderCount(await answer.text())).toBeGreaterThan(0);
      return answer.headers.get('content-encoding');
    };
    await expect.poll(readBrotli).toBe('br');
    const answer = await get('/products/13', { 'accept-encoding': 'br' });
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(20_000);
  });

  test('a product that is not there says nothing to caches', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const answer = await get('/products/999');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-tag')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(await answer.text()).not.toContain('id="render-count"');
    }
  });

  test('a purge needs the token, and its pages are rendered again', async () => {
    // A page that has only become stale is a hit for longer than a test may take.
    const isHit = async (path: string) => {
      const answer = await get(path);
      await answer.arrayBuffer();
      const status = answer.headers.get('cache-status')!;
      if (!status.includes('; hit;')) expect(status).toBe('ng-ssr; fwd=uri-miss; stored');
      return status.includes('; hit;');
    };
    const areHits = async () => [await isHit('/products/14'), await isHit('/products/15')];
    const purge = (what: object, headers: Record<string, string>) =>
      fetch(`${server.origin}/_cache/purge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ ...what, hard: true }),
      });
    const allowed = { authorization: `Bearer ${PURGE_TOKEN}` };

    expect(await areHits()).toEqual([false, false]);
    expect((await purge({ tag: 'products' }, {})).status).toBe(401);
    const other = { authorization: `Bearer ${PURGE_TOKEN.slice(0, -1)}` };
    expect((await purge({ tag: 'products' }, other)).status).toBe(401);
    expect(await areHits()).toEqual([true, true]);

    expect((await purge({ tag: 'product-14' }, allowed)).ok).toBe(true);
    expect(await areHits()).toEqual([false, true]);
    expect((await purge({ path: '/products/15' }, allowed)).ok).toBe(true);
    expect(await areHits()).toEqual([true, false]);
    expect((await purge({ prefix: '/products/' }, allowed)).ok).toBe(true);
    expect(await areHits()).toEqual([false, false]);
    expect((await purge({}, allowed)).status).toBe(400);
  });

  test('a greeting is stored by language, and languages are not mixed up', async () => {
    const counts = new Map<string, Set<number>>();
    const asked = [
      ['de', 'de', 'Guten Tag'],
      ['fr', 'fr', 'Bonjour'],
      ['en', 'en', 'Good day'],
      ['de-AT, en;q=0.5', 'de', 'Guten Tag'],
      ['es, fr-CH;q=0.8, de;q=0.7', 'fr', 'Bonjour'],
      ['ja', 'en', 'Good day'],
    ] as const;
    // One after another, and then all at once.
    const answers = [];
    for (const [accepted] of asked) {
      answers.push(await get('/greeting', { 'accept-language': accepted }));
    }
    answers.push(
      ...(await Promise.all(
        asked.map(([accepted]) => get('/greeting', { 'accept-language': accepted })),
      )),
    );
    for (const [i, answer] of answers.entries()) {
      const [accepted, language, heading] = asked[i % asked.length]!;
      const page = await answer.text();
      expect(answer.headers.get('content-language'), accepted).toBe(language);
      expect(answer.headers.get('vary'), accepted).toMatch(/accept-language/i);
      expect(page, accepted).toContain(`lang="${language}"`);
      expect(page, accepted).toContain(heading);
      counts.set(language, (counts.get(language) ?? new Set()).add(renderCount(page)));
    }
    expect(Object.fromEntries(counts)).toEqual({
      de: new Set([1]),
      fr: new Set([1]),
      en: new Set([1]),
    });
  });

  test('an account is rendered for each user, also for many at once', async () => {
    const users = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald'];
    const visit = async (user: string) => {
      const answer = await get('/account', { cookie: `user=${user}` });
      expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform');
      expect(answer.headers.get('cache-status')).toBe('ng-ssr; fwd=uri-miss; detail=no-store');
      expect(answer.headers.get('etag')).toBeNull();
      const page = await answer.text();
      for (const name of users) expect(page.includes(name), `${user}: ${name}`).toBe(name === user);
      return renderCount(page);
    };
    const counts = await Promise.all([...users, ...users, 'Ada', 'Ada'].map(visit));
    expect(new Set(counts).size).toBe(counts.length);
    const stranger = await (await get('/account')).text();
    for (const name of users) expect(stranger).not.toContain(name);
  });

  test('the server has a route of its own, and files large and small', async () => {
    expect(await (await get('/api/time')).json()).toEqual({ now: expect.any(Number) });
    const large = await get('/price-history.csv');
    expect(large.status).toBe(200);
    expect((await large.arrayBuffer()).byteLength).toBeGreaterThan(1024 * 1024);
    const part = await get('/price-history.csv', { range: 'bytes=-10' });
    expect(part.status).toBe(206);
    expect((await part.text()).length).toBe(10);
    expect((await get('/robots.txt')).headers.get('cache-control')).toBe(
      'public, max-age=0, must-revalidate',
    );
  });

  test('the API has its routes, and a page is made of them', async () => {
    const answer = await get('/api/products/16');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-served-by')).toBe(adapter);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toContain('s-maxage=60');
    expect(answer.headers.get('cache-tag')).toBe('products, product-16');
    expect(await answer.json()).toMatchObject({ id: '16', name: 'Olive Oil Bottle', price: 54 });
    const again = await get('/api/products/16', { 'if-none-match': answer.headers.get('etag')! });
    expect(again.status).toBe(304);
    expect((await get('/api/products/999')).status).toBe(404);
    expect(await (await get('/api/account', { cookie: 'user=Ada' })).json()).toMatchObject({
      name: 'Ada',
    });

    const page = await (await get('/live/16')).text();
    for (const text of ['Olive Oil Bottle', '€54.00', 'on the shelf', '<blockquote']) {
      expect(page).toContain(text);
    }
    const own = await get('/live/account', { cookie: 'user=Ada' });
    expect(own.headers.get('cache-status')).toBe('ng-ssr; fwd=uri-miss; detail=personal-call');
    expect(await own.text()).toContain('Two parcels for Ada');

    const change = (headers: Record<string, string>) =>
      get('/api/products/17/price?euros=31.5', headers, 'POST');
    expect((await change({})).status).toBe(401);
    const changed = await change({ authorization: `Bearer ${PURGE_TOKEN}` });
    expect(await changed.json()).toMatchObject({ id: '17', price: 31.5 });
  });

  test('another host gets nothing', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${server.origin}/products/1`, { headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(400);
  });

  test('asked to end, it ends by itself', async () => {
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});
