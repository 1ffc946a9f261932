import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BuildStore, PublishedBuild, SsrError } from '@ng-ssr/core';
import { redisBuildStore, type RedisBuildStoreOptions } from '@ng-ssr/redis';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

const isMissing = isRedisServerMissing();

describe.skipIf(isMissing)('files of builds in Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => void (redis = await RedisServer.start()));
  afterAll(() => redis.stop());

  interface Opened {
    readonly store: BuildStore;
    readonly errors: SsrError[];
  }

  function open(
    prefix: string,
    {
      baseHref = '/',
      keep = 2,
      ...options
    }: { baseHref?: string; keep?: number } & RedisBuildStoreOptions = {},
  ): Opened {
    const store = redisBuildStore({ url: redis.url, prefix, timeoutMs: 2_000, ...options });
    const errors: SsrError[] = [];
    store.open({ baseHref, keep, onError: (error) => errors.push(error) });
    onTestFinished(() => store.close());
    return { store, errors };
  }

  function build(n: number, content = `build ${n}`): PublishedBuild {
    const read = (text: string) => () => Promise.resolve(Buffer.from(text));
    return {
      id: `0000${n}`,
      files: [
        { path: `/main-${n}.js`, read: read(content) },
        { path: `/chunk-${n}.js`, read: read('x'.repeat(2_000_000)) },
        { path: '/chunk-same.js', read: read('the same') },
      ],
    };
  }

  const text = (found: ReadonlyMap<string, Uint8Array>, path: string): string | undefined => {
    const bytes = found.get(path);
    return bytes && Buffer.from(bytes).toString();
  };

  /** Plays time. */
  async function age(prefix: string, baseHref = '/'): Promise<void> {
    const key = `${prefix}:builds:{${encodeURIComponent(baseHref)}}`;
    for (const { value, score } of await redis.redis.zRangeWithScores(key, 0, -1)) {
      await redis.redis.zAdd(key, { value, score: score - 3_600_000 });
    }
  }

  test('every server finds the files of all builds, as bytes', async () => {
    const [older, newer] = [open('a'), open('a')];
    await older.store.publish(build(1));
    await newer.store.publish(build(2));
    const found = await older.store.find(['/main-2.js', '/chunk-2.js', '/main-9.js']);
    expect([...found.keys()].sort()).toEqual(['/chunk-2.js', '/main-2.js']);
    expect(text(found, '/main-2.js')).toBe('build 2');
    expect(found.get('/chunk-2.js')).toHaveLength(2_000_000);
    expect(text(await newer.store.find(['/main-1.js']), '/main-1.js')).toBe('build 1');
    expect([...older.errors, ...newer.errors]).toEqual([]);
  });

  test('the newest builds are kept, and those in use; every key expires', async () => {
    for (let n = 1; n <= 5; n++) {
      await open('b').store.publish(build(n));
      await age('b');
    }
    const { store } = open('b');
    await store.publish(build(6));
    const found = await store.find([1, 2, 3, 4, 5, 6].map((n) => `/main-${n}.js`));
    expect([...found.keys()].sort()).toEqual(['/main-4.js', '/main-5.js', '/main-6.js']);
    for (let n = 7; n <= 9; n++) await store.publish(build(n));
    // None of a quick row: servers may be using them.
    expect(await store.find(['/main-6.js'])).toHaveProperty('size', 1);
    const keys = await redis.redis.keys('b:*');
    expect(keys).toHaveLength(5);
    for (const key of keys) expect(await redis.redis.ttl(key)).toBeGreaterThan(0);
  });

  test('applications with another base href or prefix share nothing', async () => {
    await open('c', { baseHref: '/sv/' }).store.publish(build(1));
    for (const other of [open('c'), open('d', { baseHref: '/sv/' })]) {
      expect(await other.store.find(['/main-1.js'])).toHaveProperty('size', 0);
    }
  });

  test('bytes that another program has written are not answered', async () => {
    const { store } = open('e');
    await store.publish(build(1));
    const [key] = await redis.redis.keys('e:builds:*:00001');
    await redis.redis.hSet(key!, '/main-1.js', '"tag"\nalert(1)');
    await redis.redis.hSet(key!, '/chunk-1.js', '');
    const found = await store.find(['/main-1.js', '/chunk-1.js', '/chunk-same.js']);
    expect([...found.keys()]).toEqual(['/chunk-same.js']);
    // Nor does a key that is no build cost those of others.
    await open('e').store.publish(build(2));
    await redis.redis.set(key!.replace('00001', '00002'), 'text');
    expect(await store.find(['/chunk-same.js'])).toHaveProperty('size', 1);
  });

  test('a local file that cannot be read is reported once, and no outage of Redis', async () => {
    const { store, errors } = open('h');
    await store.publish(build(1));
    let isGone = true;
    const { id, files } = build(2);
    const read = (): Promise<Buffer> =>
      isGone ? Promise.reject(new Error('ENOENT')) : Promise.resolve(Buffer.from('back'));
    const damaged = { id, files: [...files, { path: '/gone-2.js', read }] };
    for (let time = 1; time <= 3; time++) {
      await store.publish(damaged);
      expect(await store.find(['/main-1.js', '/main-2.js'])).toHaveProperty('size', 1);
    }
    expect(errors).toMatchObject([
      {
        code: 'NG_SSR_BUILDS_UNAVAILABLE',
        message: expect.stringMatching(/^\/gone-2\.js cannot be read/) as string,
      },
    ]);
    // Nothing of the attempts stays, beside the list of builds and the first one.
    expect(await redis.redis.keys('h:*')).toHaveLength(2);
    isGone = false;
    await store.publish(damaged);
    expect(text(await store.find(['/gone-2.js']), '/gone-2.js')).toBe('back');
    expect(errors).toHaveLength(1);
  });

  test('a Redis that is full now and then is reported once', async () => {
    const own = await RedisServer.start();
    onTestFinished(() => own.stop());
    const { store, errors } = open('g', { url: own.url });
    for (let n = 1; n <= 4; n++) {
      await own.redis.configSet('maxmemory', '1');
      await store.publish(build(n));
      await own.redis.configSet('maxmemory', '0');
      await store.publish(build(n));
      expect(await store.find([`/main-${n}.js`])).toHaveProperty('size', 1);
    }
    expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_BUILDS_UNAVAILABLE']);
  });

  test('without Redis files are missing, with one error; the build is sent when it answers', async () => {
    const own = await RedisServer.start();
    onTestFinished(() => own.stop());
    await own.kill();
    const { store, errors } = open('f', { url: own.url, timeoutMs: 100 });
    await store.publish(build(1));
    expect(await store.find(['/main-1.js'])).toHaveProperty('size', 0);
    await expect.poll(() => errors.map(({ code }) => code)).toEqual(['NG_SSR_BUILDS_UNAVAILABLE']);
    await own.restart();
    await expect.poll(async () => (await store.find(['/main-1.js'])).size).toBe(1);
    expect(errors).toHaveLength(1);
  });

  test('options are those of connections', () => {
    expect(() => redisBuildStore({ leaseMs: 3 } as never)).toThrow('leaseMs');
    expect(() => redisBuildStore({ url: 'http://x' })).toThrow('url');
  });
});
