import { brotliCompressSync } from 'node:zlib';
import { entityTag } from '@ng-ssr/etag';
import { RESP_TYPES } from '@redis/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { digestOf } from '@ng-ssr/core/store';
import { bodyOf, openStore, page, pageKeyOf, readyStore } from './open-store.ts';
import { Random } from '../../conformance/src/fuzz/random.ts';
import { stress } from '../../conformance/src/fuzz/extent.ts';
import { seed } from '../../conformance/src/fuzz/seed.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

const KEY = '/products/1';
const REDIS_KEY = pageKeyOf(KEY);
const PX = { expiration: { type: 'PX', value: 60_000 } } as const;

interface Forged {
  readonly metadata?: unknown;
  readonly json?: string;
  readonly body?: string | Buffer;
  readonly magic?: string;
  readonly version?: number;
  readonly lifeMs?: number;
  readonly metadataLength?: number;
  readonly bodyLength?: number;
}

/** A value as the format has it, with a checksum that is right, whatever it says. */
function forge(version: number, { metadata = {}, body = 'forged', ...rest }: Forged): Buffer {
  const { key, dateMs: _, ...headers } = { key: digestOf(KEY), ...page('') };
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  const whole = isObject ? { ...headers, key, body: undefined, ...metadata } : metadata;
  const json = Buffer.from(rest.json ?? JSON.stringify(whole));
  const bytes = Buffer.from(body as string);
  const value = Buffer.alloc(40 + json.byteLength + bytes.byteLength);
  value.write(rest.magic ?? 'NGSR\x03', 0, 'latin1');
  value.writeDoubleBE(rest.version ?? version, 16);
  value.writeDoubleBE(rest.lifeMs ?? 60_000, 24);
  value.writeUInt32BE(rest.metadataLength ?? json.byteLength, 32);
  value.writeUInt32BE(rest.bodyLength ?? bytes.byteLength, 36);
  json.copy(value, 40);
  bytes.copy(value, 40 + json.byteLength);
  value.write(entityTag(value.subarray(16)).slice(1, -1), 5, 'latin1');
  return value;
}

const inBrotli = (text: string, end = ''): Forged => ({
  body: Buffer.concat([brotliCompressSync(text), Buffer.from(end)]),
});
const headers = (...list: unknown[]): Forged => ({ metadata: { headers: list } });
const forged: Record<string, Forged> = {
  'another key': { metadata: { key: '/other' } },
  'no key': { metadata: { key: undefined } },
  'metadata that is no object': { json: '[]' },
  'metadata that is null': { json: 'null' },
  'metadata that is no JSON': { json: '{"key":' },
  'metadata that is nested': { json: '['.repeat(100_000) },
  'no metadata': { json: '' },
  'a status that is text': { metadata: { status: '200' } },
  'a status of 1xx': { metadata: { status: 199 } },
  'a status beyond 5xx': { metadata: { status: 600 } },
  'a status with a fraction': { metadata: { status: 200.5 } },
  'a status in exponents': { json: `{"key":"${digestOf(KEY)}","status":1e999}` },
  'no headers': { metadata: { headers: undefined } },
  'headers that are an object': { metadata: { headers: { length: 0 } } },
  'a header without a value': headers('x-a'),
  'a value that is a number': headers('x-a', 1),
  'a value that is a list': headers('set-note', ['a', 'b']),
  'a value with CR LF': headers('x-a', 'b\r\nset-cookie: c=d'),
  'a value with LF': headers('x-a', 'b\nc'),
  'a value with NUL': headers('x-a', 'b\0c'),
  'a value beyond Latin-1': headers('x-a', '\u{10000}'),
  'a name with CR LF': headers('x\r\nset-cookie', 'c=d'),
  'a name with a space': headers('x a', 'b'),
  'a name with a colon': headers('x:a', 'b'),
  'a name beyond ASCII': headers('x-\xe4', 'b'),
  'an empty name': headers('', 'b'),
  connection: headers('connection', 'close'),
  'transfer-encoding': headers('Transfer-Encoding', 'chunked'),
  upgrade: headers('upgrade', 'h2c'),
  'content-length': headers('Content-Length', '5'),
  age: headers('age', '5'),
  'set-cookie': headers('Set-Cookie', 'session=1'),
  'tags that are text': { metadata: { tags: 'a' } },
  'a tag that is a number': { metadata: { tags: ['a', 1] } },
  'no path': { metadata: { path: undefined } },
  'a path that is no path': { metadata: { path: 'products' } },
  'a freshness that is text': { metadata: { freshSeconds: '60' } },
  'a freshness that is negative': { metadata: { freshSeconds: -1 } },
  'a freshness without end': { metadata: { staleIfErrorSeconds: null } },
  'no stale-while-revalidate': { metadata: { staleWhileRevalidateSeconds: undefined } },
  'an age that is negative': { lifeMs: 59_000 },
  'an age beyond 1970': { lifeMs: 9e15 },
  'an age that is no number': { lifeMs: NaN },
  'an age without end': { lifeMs: Infinity },
  'a version to come': { version: 9e15 },
  'a version that is no number': { version: NaN },
  'a version that is negative': { version: -1 },
  'a version without end': { version: Infinity },
  'vary that is text': { metadata: { vary: 'accept' } },
  'vary with a name that is none': { metadata: { vary: ['a b'] } },
  'vary in upper case': { metadata: { vary: ['Accept'] } },
  'metadata beyond the end': { metadataLength: 2 ** 32 - 1 },
  'a body beyond the end': { bodyLength: 2 ** 32 - 1 },
  'bytes behind the body': { bodyLength: 0 },
  'a body that is not in Brotli, as its metadata say': { metadata: { length: 6 } },
  'Brotli of another length': { ...inBrotli('forged'), metadata: { length: 5 } },
  'Brotli without a length': { ...inBrotli('forged'), metadata: { length: null } },
  'Brotli of a length that is text': { ...inBrotli('forged'), metadata: { length: '6' } },
  'Brotli with bytes behind its end': { ...inBrotli('forged', 'x'), metadata: { length: 6 } },
  'Brotli of a length that no entry has': {
    ...inBrotli('x'.repeat(20_000_000)),
    metadata: { length: 20_000_000 },
  },
  'Brotli with offsets for nonces': {
    ...inBrotli('forged'),
    metadata: { length: 6, nonceAt: [0] },
  },
  'another format': { magic: 'NGSR\x02' },
};

describe.skipIf(isRedisServerMissing())('values of others', () => {
  const server = useRedis();
  // Not after a test: its stores are closed later, and may still write.
  beforeEach(() => server.redis.flushAll());

  test('what is forged well is an entry, so that the cases below mean something', async () => {
    const { store } = await readyStore(server);
    await server.redis.set(
      REDIS_KEY,
      forge(store.version(), { metadata: { headers: ['a', 'b'] } }),
      PX,
    );
    expect(await bodyOf(store, KEY)).toBe('forged');
    const brotli: Forged = { ...inBrotli('forged'), metadata: { length: 6 } };
    await server.redis.set(REDIS_KEY, forge(store.version(), brotli), PX);
    expect(await bodyOf(store, KEY)).toBe('forged');
    await server.redis.set(
      REDIS_KEY,
      forge(store.version(), { metadata: { vary: ['accept'] } }),
      PX,
    );
    expect(await store.get(KEY)).toMatchObject({ entry: { vary: ['accept'] } });
    await server.redis.set(
      REDIS_KEY,
      forge(store.version(), { json: `{"__proto__":{"key":"${digestOf(KEY)}"}}` }),
      PX,
    );
    expect(await store.get(KEY)).toBeUndefined();
  });

  test.each(Object.entries(forged))('%s is a miss', async (_name, each) => {
    const { store, errors } = await readyStore(server);
    await server.redis.set(REDIS_KEY, forge(store.version(), each), PX);
    expect(await store.get(KEY)).toBeUndefined();
    expect(errors).toEqual([]);
    // Nor does it keep a page from being stored.
    await store.set(KEY, page('stored'), store.version(), 60);
    expect(await bodyOf(store, KEY)).toBe('stored');
  });

  test('bytes that were cut off, changed or made up are a miss', async () => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const random = new Random(seed);
    const { store, errors } = await readyStore(server);
    await store.set(KEY, page('x'.repeat(200)), store.version(), 60);
    const redis = server.redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    const value = (await redis.get(REDIS_KEY)) as unknown as Buffer;
    const changed: (() => Buffer)[] = [
      () => value.subarray(0, random.below(value.byteLength)),
      () => value.subarray(1 + random.below(value.byteLength)),
      () => Buffer.concat([value, Buffer.alloc(1 + random.below(10))]),
      () => {
        const copy = Buffer.from(value);
        copy[random.below(copy.byteLength)]! ^= 1 << random.below(8);
        return copy;
      },
      () => {
        const copy = Buffer.from(value);
        copy.writeUInt32BE(random.below(2 ** 32), random.below(copy.byteLength - 4));
        return copy.equals(value) ? Buffer.alloc(0) : copy;
      },
      () => Buffer.from(Array.from({ length: random.below(500) }, () => random.below(256))),
    ];
    for (let count = 0; count < stress(3_000); count++) {
      const bytes = changed[random.below(changed.length)]!();
      await server.redis.set(REDIS_KEY, bytes, PX);
      const found = await store.get(KEY);
      if (found !== undefined) expect.fail(`seed ${seed}: ${bytes.toString('hex')}`);
    }
    await server.redis.set(REDIS_KEY, value, PX);
    expect(await store.get(KEY)).toBeDefined();
    expect(errors).toEqual([]);
  });

  test('keys of another type are a miss, and are written over', async () => {
    const { store, errors } = await readyStore(server);
    const types: (() => Promise<unknown>)[] = [
      () => server.redis.lPush(REDIS_KEY, 'a'),
      () => server.redis.hSet(REDIS_KEY, 'a', 'b'),
      () => server.redis.sAdd(REDIS_KEY, 'a'),
      () => server.redis.zAdd(REDIS_KEY, { score: 1, value: 'a' }),
      () => server.redis.xAdd(REDIS_KEY, '*', { a: 'b' }),
      () => server.redis.set(REDIS_KEY, ''),
    ];
    for (const put of types) {
      await server.redis.del(REDIS_KEY);
      await put();
      expect(await store.get(KEY)).toBeUndefined();
      await store.set(KEY, page('stored'), store.version(), 60);
      expect(await bodyOf(store, KEY)).toBe('stored');
    }
    expect(errors).toEqual([]);
  });

  test('messages and records that are no purges are passed over', async () => {
    const { store, purges, errors } = await readyStore(server);
    await store.set(KEY, page('page'), store.version(), 60);
    const version = String(store.version());
    const messages = ['', 'null', '{}', '[', '[1]', '["a","b","c","d"]', '["-1","-2","a","b"]'];
    messages.push(JSON.stringify([version, version, 'x', 'hard:everything:/']));
    messages.push(JSON.stringify(['1e99', '1e99', 'x', 'hard:prefix:/']), '\0'.repeat(10_000));
    for (const message of messages) await server.redis.publish('ng-ssr:purges:0', message);
    const values = ['', 'hard', 'soft:', 'hard:body:a', 'soft:path', 'hard:path:products'];
    values.push('hard:tag:', 'soft:path:', 'hard:prefix:?', 'soft:path:/a#b');
    const members = values.map((value) => ({ score: Number(version), value }));
    await server.redis.zAdd('ng-ssr:{purges}', members);
    await server.redis.zAdd('ng-ssr:{purges}', { score: 1.5, value: 'hard:prefix:/' });
    const other = await readyStore(server);
    expect(await bodyOf(other.store, KEY)).toBe('page');
    await other.store.purge({ tag: 'products' });
    await vi.waitFor(() => expect(purges).toEqual([{ tag: 'products' }]));
    expect(await store.get(KEY)).toMatchObject({ isPurged: true });
    // Each process says so once, and asks Redis as ever.
    for (const { length, 0: error } of [errors, other.errors]) {
      expect(length).toBe(1);
      expect(error!.message).toContain('contains a record that is not a purge and is skipped');
    }
  });

  test('a message with a purge that cannot be costs no look-up', async () => {
    const { store, errors } = await readyStore(server);
    await store.set(KEY, page('page'), store.version(), 60);
    const version = store.version();
    const message = (target: string): string =>
      JSON.stringify([String(version), String(version), 'x', target]);
    for (const target of ['hard:path:products', 'hard:tag:', `soft:path:${'x'.repeat(10_000)}`]) {
      await server.redis.publish('ng-ssr:purges:0', message(target));
    }
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    for (let count = 0; count < 20; count++) expect(await bodyOf(store, KEY)).toBe('page');
    expect(errors).toHaveLength(1);
    expect(errors[0]!.message.length).toBeLessThan(400);
  });

  test.each(['published', 'as the latest', 'as a record', 'as an infinite record', 'as no number'])(
    'a version that cannot be, %s, does not end purging',
    async (where) => {
      const [one, other] = [await readyStore(server), await readyStore(server)];
      const most = String(Number.MAX_SAFE_INTEGER);
      await one.store.set(KEY, page('old'), one.store.version(), 60);
      if (where === 'published') {
        const forgery = JSON.stringify(['0', most, 'x', 'soft:path:/x']);
        await server.redis.publish('ng-ssr:purges:0', forgery);
      } else if (where === 'as the latest') {
        await server.redis.set('ng-ssr:{purges}:latest', most);
      } else if (where === 'as no number') {
        await server.redis.set('ng-ssr:{purges}:latest', 'nan');
      } else {
        const score = where === 'as a record' ? Number.MAX_SAFE_INTEGER : Infinity;
        await server.redis.zAdd('ng-ssr:{purges}', { score, value: 'soft:path:/x' });
      }
      for (let count = 0; count < 3; count++) {
        await one.store.purge({ tag: `products-${count}` });
        await other.store.purge({ tag: 'products', hard: true });
        await vi.waitFor(() => expect(one.purges).toContainEqual({ tag: 'products', hard: true }));
        expect(await one.store.get(KEY)).toBeUndefined();
        await vi.waitFor(async () => {
          await one.store.set(KEY, page('new'), one.store.version(), 60);
          expect(await bodyOf(other.store, KEY)).toBe('new');
        });
      }
      expect(other.store.version()).toBeLessThan(Date.now() + 3_600_000);
      const started = await readyStore(server);
      expect(await bodyOf(started.store, KEY)).toBe('new');
      expect([...one.errors, ...other.errors]).toEqual([]);
    },
  );

  test('records of another type make every page a miss, which is reported once', async () => {
    await server.redis.lPush('ng-ssr:{purges}', 'a');
    const { store, errors } = openStore(server);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    await store.set(KEY, page('page'), store.version(), 60);
    expect(await store.get(KEY)).toBeUndefined();
    await expect(store.purge({ path: '/' })).rejects.toMatchObject({
      code: 'NG_SSR_STORE_UNAVAILABLE',
    });
    await server.redis.del('ng-ssr:{purges}');
    await vi.waitFor(async () => {
      await store.set(KEY, page('page'), store.version(), 60);
      expect(await bodyOf(store, KEY)).toBe('page');
    });
    expect(errors).toHaveLength(1);
  });
});
