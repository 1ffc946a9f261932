import { expect, it } from 'vitest';
import type { Exchange } from '@ng-ssr/core/adapter';
import { plainExchange } from '../plain-exchange.ts';
import { turn, until } from '../pages/clock.ts';
import { html, storedServer, type StoredServer } from '../pages/stored-server.ts';

const SHARED = { 'cache-control': 's-maxage=60' };

/** A request whose client can leave. */
function leavable(target: string): { readonly exchange: Exchange; readonly leave: () => void } {
  const listeners = new Set<() => void>();
  const onDisconnect = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    exchange: { ...plainExchange(target), onDisconnect },
    leave: () => listeners.forEach((listener) => listener()),
  };
}

/** One render at a time, each of which ends when it is let go; paths of those that have begun. */
function oneAtATime(options: Parameters<typeof storedServer>[1] = {}): {
  readonly server: StoredServer;
  readonly begun: string[];
  readonly release: () => void;
} {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const server = storedServer(
    async ({ url }) => {
      const path = new URL(url).pathname;
      begun.push(path);
      await new Promise<void>((resolve) => ends.push(resolve));
      return html(path, path.startsWith('/private') ? { 'cache-control': 'private' } : SHARED);
    },
    { render: { concurrency: 1 }, ...options },
  );
  return { server, begun, release: () => ends.shift()?.() };
}

it('drops a render from the queue when its client has left', async () => {
  const { server, begun, release } = oneAtATime();
  const first = server.get('/private/1');
  await until(() => begun.length === 1);
  const leaver = leavable('/private/leaver');
  const left = server.ask(leaver.exchange);
  const last = server.get('/private/last');
  await turn();
  leaver.leave();
  expect((await left).status).toBe(503);
  release();
  await first;
  await until(() => begun.length === 2);
  release();
  expect((await last).status).toBe(200);
  expect(begun).toEqual(['/private/1', '/private/last']);
  // Nothing has failed, and no request was turned away.
  expect(server.errors).toEqual([]);
});

it('does not render when the client has left while connections were let in', async () => {
  const { server, begun, release } = oneAtATime();
  const leaver = leavable('/private/leaver');
  const left = server.ask(leaver.exchange);
  leaver.leave();
  expect((await left).status).toBe(503);
  const other = server.get('/private/other');
  await until(() => begun.length === 1);
  release();
  expect((await other).status).toBe(200);
  expect(begun).toEqual(['/private/other']);
  expect(server.errors).toEqual([]);
});

it('renders a page that others wait for when the first client has left, and drops it with the last', async () => {
  const { server, begun, release } = oneAtATime();
  const first = server.get('/private/1');
  await until(() => begun.length === 1);
  const [leader, waiter] = [leavable('/p'), leavable('/p')];
  const [led, waited] = [server.ask(leader.exchange), server.ask(waiter.exchange)];
  const [one, other] = [leavable('/q'), leavable('/q')];
  const gone = [server.ask(one.exchange), server.ask(other.exchange)];
  await turn();
  leader.leave();
  one.leave();
  other.leave();
  for (const answer of await Promise.all(gone)) expect(answer.status).toBe(503);
  release();
  await first;
  await until(() => begun.length === 2);
  release();
  expect((await waited).text).toContain('/p');
  await led;
  expect(begun).toEqual(['/private/1', '/p']);
  // The page that was dropped is rendered for the next who asks.
  const again = server.get('/q');
  await until(() => begun.length === 3);
  release();
  expect((await again).status).toBe(200);
});

it('a client that left while others led does not lead, and fails no other', async () => {
  let renders = 0;
  const ends: (() => void)[] = [];
  const server = storedServer(async () => {
    const isFirst = ++renders === 1;
    await new Promise<void>((resolve) => ends.push(resolve));
    if (isFirst) throw new Error('the first fails');
    return html('page', SHARED);
  });
  const [gone, other] = [leavable('/p'), leavable('/p')];
  const led = server.get('/p');
  await until(() => renders === 1);
  const [left, waited] = [server.ask(gone.exchange), server.ask(other.exchange)];
  await turn();
  gone.leave();
  ends.shift()!();
  expect((await led).status).toBe(500);
  expect((await left).status).toBe(503);
  await until(() => renders === 2);
  ends.shift()!();
  expect((await waited).status).toBe(200);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_FAILED']);
});

it('a render goes on when its client has left, and its page is stored', async () => {
  const { server, begun, release } = oneAtATime();
  const leaver = leavable('/p');
  void server.ask(leaver.exchange);
  await until(() => begun.length === 1);
  leaver.leave();
  release();
  await until(async () => (await server.handler.cache.inspect()).count === 1);
  expect(begun).toEqual(['/p']);
});

it('requests come before refreshes, however many stale pages were asked for', async () => {
  const stale = 400;
  let isStale = true;
  let ends: (() => void)[] = [];
  const begun: string[] = [];
  const server = storedServer(
    async ({ url }) => {
      const path = new URL(url).pathname;
      begun.push(path);
      if (!isStale) await new Promise<void>((resolve) => ends.push(resolve));
      return html(path, { 'cache-control': 's-maxage=60, stale-while-revalidate=600' });
    },
    { render: { concurrency: 16 } },
  );
  for (let i = 0; i < stale; i++) await server.get(`/stale/${i}`);
  await server.handler.cache.purge({ prefix: '/stale' });
  isStale = false;
  begun.length = 0;
  for (let i = 0; i < stale; i++) {
    expect((await server.get(`/stale/${i}`)).isHit).toBe(true);
  }
  await until(() => begun.length > 0);
  expect(begun.length).toBeLessThanOrEqual(4);
  const cold = Array.from({ length: 5 }, (_, i) => server.get(`/cold/${i}`));
  await until(() => begun.filter((path) => path.startsWith('/cold')).length === 5);
  const waiting = ends;
  ends = [];
  isStale = true;
  waiting.forEach((end) => end());
  for (const answer of await Promise.all(cold)) expect(answer.status).toBe(200);
  expect(server.errors).toEqual([]);
});
