import { expect, it, vi } from 'vitest';
import { html, storedServer } from './stored-server.ts';

const SHARED = { 'cache-control': 's-maxage=60' };

it('renders a cold page once for 1,000 concurrent requests', async () => {
  const server = storedServer(async (_request, count) => {
    await new Promise((resolve) => setImmediate(resolve));
    return html(`render ${count}`, SHARED);
  });
  const answers = await Promise.all(Array.from({ length: 1000 }, () => server.get('/p')));
  expect(server.requests).toHaveLength(1);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const statuses = new Set(answers.map((answer) => answer.field('cache-status')));
  expect(statuses).toEqual(
    new Set(['ng-ssr; fwd=uri-miss; stored', 'ng-ssr; fwd=uri-miss; collapsed']),
  );
  expect((await server.get('/p')).field('cache-status')).toMatch(/^ng-ssr; hit; ttl=(59|60)$/);
});

it('gives a private page to no other request', async () => {
  const server = storedServer(async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    return html(request.headers.get('cookie') ?? '', { 'cache-control': 'private' });
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => server.get('/p', { cookie: `user=${i}` })),
  );
  expect(answers.map(({ text }) => text)).toEqual(
    Array.from({ length: 50 }, (_, i) => `<!doctype html><p>user=${i}</p>`),
  );
  expect(server.requests).toHaveLength(50);
});

it('lets one waiting request lead once more when a render fails, and then fails all', async () => {
  const server = storedServer(async (_request, count) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (count === 1) throw new Error('cracked');
    return html('whole', SHARED);
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.get('/p')));
  expect(answers.filter(({ status }) => status === 500)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(server.requests).toHaveLength(2);

  const broken = storedServer(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('cracked');
  });
  const failed = await Promise.all(Array.from({ length: 20 }, () => broken.get('/p')));
  expect(failed.every(({ status }) => status === 500)).toBe(true);
  expect(broken.requests).toHaveLength(2);
  expect(broken.errors).toHaveLength(2);
});

it('answers a stale page at once and re-renders it once', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const server = storedServer((_request, count) =>
      html(`render ${count}`, { 'cache-control': 's-maxage=10, stale-while-revalidate=60' }),
    );
    await server.get('/p');
    vi.advanceTimersByTime(11_000);
    const stale = await Promise.all(Array.from({ length: 10 }, () => server.get('/p')));
    expect(new Set(stale.map(({ text }) => text))).toEqual(
      new Set(['<!doctype html><p>render 1</p>']),
    );
    expect(stale[0]!.field('age')).toBe('11');
    expect(stale[0]!.field('cache-status')).toBe('ng-ssr; hit; ttl=-1');
    await vi.waitFor(async () => expect((await server.get('/p')).text).toContain('render 2'));
    expect(server.requests).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
