/** What the real build answers over HTTP, for each engine and adapter. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADAPTERS, ENGINES, type ExampleServer, startExample } from './example-server.ts';

const cases = ENGINES.flatMap((engine) => ADAPTERS.map((adapter) => ({ engine, adapter })));
describe.each(cases)('$adapter, $engine engine', ({ engine, adapter }) => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExample(engine, adapter);
  });
  afterAll(() => server.stop());

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
    ['/products/7', 200, 'ng-ssr; fwd=uri-miss'],
    ['/products/999', 404, 'ng-ssr; fwd=uri-miss'],
    ['/lazy', 200, 'ng-ssr; fwd=uri-miss'],
    ['/client', 200, 'ng-ssr; fwd=uri-miss'],
    ['/missing', 404, 'ng-ssr; fwd=uri-miss'],
    ['/no/such/page', 404, 'ng-ssr; fwd=uri-miss'],
    ['/boom', 500, 'ng-ssr; detail=NG_SSR_RENDER_FAILED'],
    // Angular itself logs these two and answers 404 and 200.
    ['/boom?at=navigation', 500, 'ng-ssr; detail=NG_SSR_RENDER_FAILED'],
    ['/boom?at=render', 500, 'ng-ssr; detail=NG_SSR_RENDER_FAILED'],
  ])('%s is a %d (%s)', async (path, status, cacheStatus) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-status')).toBe(cacheStatus);
    expect(answer.headers.get('x-served-by')).toBe(adapter);
    const body = await answer.text();
    if (status === 500) expect(body).toBe('500 Internal Server Error\n');
    else expect(body).toContain('</html>');
  });

  test('a router redirect is a redirect', async () => {
    const answer = await get('/old');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/about');
  });

  test('a page sets a field and a cookie, and reads the request', async () => {
    const answer = await get('/hello');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-greeting')).not.toBeNull();
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('a server route declares the fields of a prerendered page and a status', async () => {
    const guide = await get('/guide');
    const gone = await get('/gone');
    // CommonEngine builds have no server routes.
    const declared = engine === 'app';
    expect(guide.headers.get('x-content-source')).toBe(declared ? 'guide' : null);
    expect(guide.headers.get('cache-control')).toBe(declared ? 'public, max-age=300' : 'no-cache');
    expect(gone.status).toBe(declared ? 410 : 200);
  });

  test('GET / has validators, codings with tags of their own, and 304s', async () => {
    const identity = await get('/');
    const page = Buffer.from(await identity.arrayBuffer());
    const tag = identity.headers.get('etag')!;
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect(identity.headers.get('content-length')).toBe(String(page.byteLength));
    expect(identity.headers.get('cache-control')).toBe('no-cache');
    expect(identity.headers.get('vary')).toBe('Accept-Encoding');

    const readBrotli = async (): Promise<string | null> =>
      (await get('/', { 'accept-encoding': 'br' }, 'HEAD')).headers.get('content-encoding');
    await expect.poll(readBrotli, { timeout: 30_000 }).toBe('br');
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

  test('the server has a route of its own, and files large and small', async () => {
    expect(await (await get('/api/time')).json()).toEqual({ now: expect.any(Number) });
    const large = await get('/price-history.csv');
    expect(large.status).toBe(200);
    expect((await large.arrayBuffer()).byteLength).toBeGreaterThan(1024 * 1024);
    const part = await get('/price-history.csv', { range: 'bytes=-10' });
    expect(part.status).toBe(206);
    expect((await part.text()).length).toBe(10);
    expect((await get('/robots.txt')).headers.get('cache-control')).toBe('no-cache');
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
});
