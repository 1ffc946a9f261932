/** What pages of the real build fetch while they render: the shop's own API, by the rules of src/calls.ts. */
import { isShort, stress } from '@ng-ssr/conformance/fuzz';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { encodedBuild } from './encoded-build.ts';
import { ENGINES, type ExampleServer, PURGE_TOKEN, startExample } from './example-server.ts';
import { PRINTING_CALLS, type WatchedCall, watchCalls } from './watch-calls.ts';

const allowed = { authorization: `Bearer ${PURGE_TOKEN}` };
const builds = { app: encodedBuild('app'), common: encodedBuild('common') };

const heading = (page: string): string | undefined => /<h1[^>]*>([^<]*)</.exec(page)?.[1]?.trim();
const price = (page: string): string | undefined =>
  /class="price"[^>]*>([^<]*)</.exec(page)?.[1]?.trim();

const all = ENGINES.flatMap((engine) => ['0', '1'].map((workers) => ({ engine, workers })));
// In a short run each engine, and each number of threads, once.
const cases = isShort ? [all[0]!, all[3]!] : all;
describe.each(cases)('$engine engine, $workers render threads', ({ engine, workers }) => {
  let server: ExampleServer;
  let calls: readonly WatchedCall[];
  beforeAll(async () => {
    // Of many visitors at once each waits for a render, however busy the machine is.
    const env = { RENDER_THREADS: workers, RENDER_MAX_WAIT_MS: '60000', ...PRINTING_CALLS };
    server = await startExample(engine, 'koa', env, builds[engine]);
    calls = watchCalls(server);
    // Until its thread has started, a server renders without it.
    const isReady = async () => (await fetch(`${server.origin}/readyz`)).ok;
    await vi.waitUntil(isReady, { timeout: 30_000 });
  });
  afterAll(() => server?.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.origin + path, { headers: { 'accept-encoding': 'identity', ...headers } });

  /** The calls of a page's renders, once there are as many as expected. */
  async function callsOf(path: string, count: number) {
    const ofPage = () => calls.filter(({ name }) => name === `GET ${path}`);
    await expect.poll(() => ofPage().length).toBe(count);
    return ofPage().map(({ url, rule, status, error }) => ({
      path: url.slice(server.origin.length),
      rule,
      outcome: status ?? error,
    }));
  }

  test('HttpClient, httpResource and plain fetch are calls, each with its rule', async () => {
    const answer = await get('/live/7');
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(heading(page)).toBe('Kitchen Pitcher');
    expect(page).toMatch(/\d+ on the shelf/);
    expect(page.match(/<blockquote/g)).toHaveLength(3);
    const made = await callsOf('/live/7', 3);
    // The first has ended before the others begin; these are in flight together.
    expect(made[0]).toEqual({ path: '/api/products/7', rule: '/api/products/**', outcome: 200 });
    expect(made.slice(1)).toEqual(
      expect.arrayContaining([
        { path: '/api/stock/7', rule: '/api/stock/*', outcome: 200 },
        { path: '/api/reviews/7', rule: '/api/reviews/*', outcome: 200 },
      ]),
    );
  });

  test('rxResource is a call, with its rule', async () => {
    const page = await (await get('/live/slow?ms=1')).text();
    expect(heading(page)).toBe('Harbour Post is with you in 2 days');
    expect(await callsOf('/live/slow?ms=1', 1)).toEqual([
      { path: '/api/slow?ms=1', rule: '/api/slow', outcome: 200 },
    ]);
  });

  test('a product that the API does not have is a page with 404', async () => {
    const answer = await get('/live/999');
    expect(answer.status).toBe(404);
    expect(heading(await answer.text())).toBe('That piece is not on our shelf');
  });

  test.each([
    ['/live/hung', '/api/hung', '/api/hung'],
    ['/live/slow?ms=9000', '/api/slow?ms=9000', '/api/slow'],
  ])('%s comes with its fallback when the call has timed out', async (path, api, rule) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    // It is the page's own fallback, and not the server's for a render that does not end.
    expect(answer.headers.get('cache-status')).toBe('ng-ssr; fwd=uri-miss; detail=no-freshness');
    const page = await answer.text();
    expect(heading(page)).toBe('Usually three to five days');
    expect(page).toContain('The courier has not answered us.');
    expect(await callsOf(path, 1)).toEqual([{ path: api, rule, outcome: 'NG_SSR_CALL_TIMEOUT' }]);
  });

  test('orders are those of the visitor whose cookie came with the request, for many at once', async () => {
    // Also in a short run more than render at once.
    const visitors = Array.from({ length: Math.max(30, stress(60)) }, (_, i) => `Visitor${i}x`);
    const names = /Visitor\d+x/g;
    const visit = async (visitor: string): Promise<void> => {
      const answer = await get('/live/account', { cookie: `user=${visitor}` });
      const page = await answer.text();
      expect(answer.headers.get('cache-status')).toBe('ng-ssr; fwd=uri-miss; detail=personal-call');
      expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-transform');
      expect(heading(page)).toBe(`Two parcels for ${visitor}`);
      expect(new Set(page.match(names))).toEqual(new Set([visitor]));
    };
    const stranger = async (path: string): Promise<void> => {
      const page = await (await get(path)).text();
      expect(page.match(names)).toBeNull();
    };
    await Promise.all(
      visitors.flatMap((visitor, i) => [
        visit(visitor),
        ...(i % 10 === 0 ? [stranger('/live/account'), stranger('/live/8')] : []),
      ]),
    );
  });

  test('a purge by tag shows a new price on the next request', async () => {
    const shown = async (): Promise<string | undefined> =>
      price(await (await get('/live/9')).text());
    const before = await shown();
    expect(before).toMatch(/^€\d+\.\d\d$/);
    const changed = await fetch(`${server.origin}/api/products/9/price?euros=77.5`, {
      method: 'POST',
      headers: allowed,
    });
    expect(await changed.json()).toMatchObject({ id: '9', price: 77.5 });
    // Stored: the page, and the calls that it is made of.
    expect((await get('/live/9')).headers.get('cache-status')).toMatch(/^ng-ssr; hit; ttl=/);
    expect(await shown()).toBe(before);
    const purge = await fetch(`${server.origin}/_cache/purge`, {
      method: 'POST',
      headers: { ...allowed, 'content-type': 'application/json' },
      body: JSON.stringify({ tag: 'product-9', hard: true }),
    });
    expect(purge.status).toBe(200);
    expect(await shown()).toBe('€77.50');
  });
});
