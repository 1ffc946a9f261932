import { expect, it } from 'vitest';
import { withSharedStore } from '@ng-ssr/core';
import { advance, setClock, turn, until, useClock } from './clock.ts';
import { Shelf } from '../features/shared-store/fake-page-store.ts';
import { numbered } from './stored-server.ts';

useClock();

it.each([-200, -3600, 200])(
  'RFC 9111 section 4.2: a page is fresh for its lifetime when the clock is set %s s meanwhile',
  async (seconds) => {
    const server = numbered({ 'cache-control': 's-maxage=10' });
    await server.get('/p');
    advance(4);
    setClock(seconds);
    const hit = await server.get('/p');
    expect([hit.cache, hit.header('age')]).toEqual(['hit; ttl=6', '4']);
    advance(5);
    expect((await server.get('/p')).isHit).toBe(true);
    advance(1);
    expect((await server.get('/p')).text).toContain('render 2');
  },
);

it('a soft purge counts when the clock is set back before it', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60, stale-while-revalidate=600' });
  await server.get('/p');
  setClock(-200);
  await server.handler.cache.purge({ path: '/p' });
  expect((await server.get('/p')).cache).toBe('hit; ttl=0');
  await until(async () => (await server.get('/p')).text.includes('render 2'));
});

it('a refresh that fails is tried again when the clock was set back meanwhile', async () => {
  const server = numbered(
    { 'cache-control': 's-maxage=1, stale-while-revalidate=600' },
    {
      engine: () => {
        if (++renders === 2) throw new Error('cracked');
        return new Response(`render ${renders}`, {
          headers: { 'cache-control': 's-maxage=1, stale-while-revalidate=600' },
        });
      },
    },
  );
  let renders = 0;
  await server.get('/p');
  advance(2);
  await server.get('/p');
  await until(() => server.errors.length === 1);
  setClock(-3600);
  advance(2);
  await server.get('/p');
  await until(() => renders === 3);
});

it('a page whose writer’s clock is ahead is fresh for its lifetime from its receipt on, once', async () => {
  const shelf = new Shelf();
  const headers = { 'cache-control': 's-maxage=10, stale-while-revalidate=600' };
  const [writer, reader] = [0, 1].map(() =>
    numbered(headers, { features: [withSharedStore(shelf.open())] }),
  );
  setClock(200);
  await writer!.get('/p');
  await until(() => shelf.entries.size === 1);
  setClock(-200);
  const received = await reader!.get('/p');
  expect([received.cache, received.header('age')]).toEqual(['hit; ttl=10', '0']);
  advance(9);
  expect((await reader!.get('/p')).cache).toBe('hit; ttl=1');
  advance(1);
  // It is stale, and the store's is the same: a refresh renders.
  expect((await reader!.get('/p')).cache).toBe('hit; ttl=0');
  await until(() => reader!.requests.length === 1);
  await turn();
});
