import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { page, readyStore } from '@ng-ssr/conformance/page-store';
import type { PageStore } from '@ng-ssr/core';
import { redisPageStore } from '@ng-ssr/redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pageText } from '../../conformance/test/processes/page-text.ts';
import { isRedisServerMissing, useRedis } from '../../redis/test/redis-server.ts';
import { Place } from './place.ts';

const PAGES = 500;
const BYTES = 90_000;
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=0, s-maxage=3600, stale-while-revalidate=86400',
  'content-security-policy': "default-src 'self'; img-src 'self' https://images.shop.example",
  'x-content-type-options': 'nosniff',
  link: '</main-ABCDEFGH.js>; rel=modulepreload',
  date: 'Sat, 28 Nov 2026 08:00:00 GMT',
  vary: 'accept-encoding',
};

/** Stores a page as a server does. */
async function put(store: PageStore, at: number): Promise<void> {
  const path = `/products/category-${at % 20}/product-${at}`;
  const body = Buffer.from(pageText(path, BYTES));
  const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  const headers = Object.entries(HEADERS).flat();
  const entry = page('', { path, headers, body, brotli, tags: ['products', `product-${at}`] });
  await store.set(`https://shop.example\n${path}`, entry, store.version(), 3_600);
}

describe.skipIf(isRedisServerMissing())('with a redis-server', () => {
  const server = useRedis();

  const usedMemory = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await server.redis.info('memory'))![1]);

  test(`pages of ${BYTES} bytes are in Brotli in Redis`, async () => {
    await server.redis.flushAll();
    const { store, errors } = await readyStore({
      createStore: () => redisPageStore({ url: server.url, timeoutMs: 10_000 }),
      close: async () => {},
    });
    const before = await usedMemory();
    for (let at = 0; at < PAGES; at++) await put(store, at);
    const inRedis = Math.round(((await usedMemory()) - before) / PAGES);
    console.log(`a page of ${BYTES} bytes: ${inRedis} bytes in Redis alone`);
    expect(inRedis).toBeLessThan(BYTES / 4);
    expect(errors).toEqual([]);
  });

  test(`pages of ${BYTES} bytes take little of the index`, async () => {
    const options = { url: server.url, timeoutMs: 10_000 };
    const place = new Place(undefined, (limits) => redisPageStore({ ...options, ...limits }));
    onTestFinished(() => place.close());
    const { store, errors } = await readyStore(place);
    const before = await usedMemory();
    for (let at = 0; at < PAGES; at++) await put(store, at);
    const inIndex = Math.round(((await usedMemory()) - before) / PAGES);
    const files = readdirSync(place.path('bodies'), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    const inBodies = Math.round(files.reduce((sum, size) => sum + size, 0) / files.length);
    console.log(`a page of ${BYTES} bytes: ${inIndex} bytes in Redis, ${inBodies} in a body`);
    expect(files).toHaveLength(PAGES);
    expect(inIndex).toBeLessThan(2_500);
    expect(inBodies).toBeLessThan(BYTES / 4);
    expect(errors).toEqual([]);
  });
});
