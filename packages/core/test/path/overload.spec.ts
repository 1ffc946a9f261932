import { expect, it, vi } from 'vitest';
import { plainExchange } from '../plain-exchange.ts';
import { html, storedServer } from '../pages/stored-server.ts';
import { withCsrPage } from '../render/csr-server.ts';

const never = new Promise<never>(() => {});

it('answers a render that takes too long with the CSR page, which no cache may store', async () => {
  const server = withCsrPage(() => never, { render: { maxWaitMs: 20, timeoutMs: 40 } });
  const answer = await server.get('/hang');
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('<app-root>');
  expect(answer.header('cache-control')).toBe('no-store');
  expect(answer.header('etag')).toBeUndefined();
  expect(answer.header('cache-status')).toBe(
    'ng-ssr; fwd=uri-miss; detail=csr-NG_SSR_DEADLINE_PASSED',
  );
});

it.each([204, 205, 304])(
  'a status %i of middleware leaves the CSR page without content',
  async (status) => {
    const server = withCsrPage(() => never, { render: { maxWaitMs: 20, timeoutMs: 40 } });
    const answer = await server.ask({ ...plainExchange('/hang'), status });
    expect(answer.status).toBe(status);
    expect(answer.body).toBeNull();
    expect(answer.header('content-length')).toBe(status === 205 ? '0' : undefined);
  },
);

it('RFC 9110 section 12.5.3: the CSR page is sent with a 200 to whom it suits only', async () => {
  const server = withCsrPage(() => never, { render: { maxWaitMs: 20, timeoutMs: 40 } });
  for (const [accepted, status] of [
    ['gzip, identity;q=0', 200],
    ['deflate', 200],
    ['*;q=0', 503],
    ['identity;q=0', 503],
  ] as const) {
    const answer = await server.get('/hang', { 'accept-encoding': accepted });
    expect([answer.status, answer.text.includes('<app-root>')], accepted).toEqual([
      status,
      status === 200,
    ]);
    expect(answer.header('cache-control')).toBe('no-store');
  }
});

it('answers with 503 and Retry-After where there is no CSR page, or none is wanted', async () => {
  const bare = storedServer(() => never, { render: { maxWaitMs: 20 } });
  const unwanted = withCsrPage(() => never, { render: { maxWaitMs: 20, fallbacks: ['queue'] } });
  const ruled = withCsrPage(() => never, {
    render: { maxWaitMs: 10_000 },
    routeRules: { '/hang': { maxWaitMs: 20, fallbacks: [] } },
  });
  for (const server of [bare, unwanted, ruled]) {
    const answer = await server.get('/hang');
    expect(answer.status).toBe(503);
    expect(answer.header('retry-after')).toBe('1');
    expect(answer.header('cache-control')).toBe('no-store');
  }
});

it('limits concurrent renders, and refuses requests that cannot be queued', async () => {
  let running = 0;
  let most = 0;
  let finish: (() => void) | undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const server = storedServer(
    async () => {
      most = Math.max(most, ++running);
      await finished;
      running--;
      return html('page', {});
    },
    { render: { concurrency: 3, maxQueued: 4 } },
  );
  const asked = Array.from({ length: 20 }, (_, i) => server.get(`/${i}`));
  await expect.poll(() => running).toBe(3);
  finish!();
  const answers = await Promise.all(asked);
  expect(most).toBe(3);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(13);
});

it('a request whose time is up leaves its place in the queue to another', async () => {
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const server = storedServer(
    async (request) => {
      await finished;
      return html(new URL(request.url).pathname, {});
    },
    {
      render: { concurrency: 1, maxQueued: 1, maxWaitMs: 60_000 },
      routeRules: { '/hasty/:id': { maxWaitMs: 20 } },
    },
  );
  const first = server.get('/first');
  expect((await server.get('/hasty/1')).status).toBe(503);
  const patient = server.get('/patient');
  // The place is taken again.
  expect((await server.get('/hasty/2')).status).toBe(503);
  finish();
  for (const [answer, path] of [
    [await first, '/first'],
    [await patient, '/patient'],
  ] as const) {
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(path)]);
  }
  expect(server.requests).toHaveLength(2);
});

it('stores a page that is rendered after its deadline', async () => {
  let finish: (() => void) | undefined;
  const server = storedServer(
    async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return html('late', { 'cache-control': 's-maxage=60' });
    },
    { render: { maxWaitMs: 20 } },
  );
  // Of a process that stands still for 20 ms, the first request may be late before its render begins: then there is none.
  do expect((await server.get('/p')).status).toBe(503);
  while (finish === undefined);
  finish();
  await expect.poll(async () => (await server.get('/p')).text).toContain('late');
  expect(server.requests).toHaveLength(1);
});

it('keeps crawlers from rendering cold pages when asked to', async () => {
  const server = storedServer(() => html('page', { 'cache-control': 's-maxage=60' }), {
    render: { bots: { renderCold: false } },
  });
  const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
  const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0 Safari/537.36' };
  expect((await server.get('/p', crawler)).status).toBe(503);
  expect((await server.get('/p', person)).status).toBe(200);
  expect((await server.get('/p', crawler)).status).toBe(200);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['max-age=0', true],
  ['max-age=0, must-revalidate', false],
  ['max-age=0, proxy-revalidate', false],
])('RFC 9111 section 5.2.2.2: whether crawlers get %j stale', async (lifetime, isStale) => {
  const server = storedServer(
    (_request, count) =>
      html(`render ${count}`, {
        'cache-control': `${lifetime}, stale-if-error=1`,
        'cdn-cache-control': lifetime.replace('max-age=0', 'max-age=1'),
      }),
    { render: { bots: { maxStale: 3600 } } },
  );
  const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    await server.get('/p', crawler);
    vi.advanceTimersByTime(5000);
    expect((await server.get('/p', crawler)).text).toContain(isStale ? 'render 1' : 'render 2');
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  [{ concurrency: 0 }, 'render.concurrency'],
  [{ maxQueued: -1 }, 'render.maxQueued'],
  [{ maxWaitMs: 0 }, 'render.maxWaitMs'],
  [{ timeoutMs: 2 ** 40 }, 'render.timeoutMs'],
  [{ fallbacks: ['cache'] }, 'render.fallbacks'],
  [{ fallbacks: ['csr', 'stale'] }, "in their fixed order: ['stale', 'csr']"],
  [{ fallbacks: ['queue', 'queue'] }, "each once, in their fixed order: ['queue']"],
])('refuses %j', (render, name) => {
  expect(() => storedServer(() => null, { render: render as never })).toThrow(name);
});
