import { redisPageStore, type RedisPageStoreOptions } from '@ng-ssr/redis';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

const wrong: readonly [string, unknown, string][] = [
  ['url', { url: 'localhost:6379' }, 'url is "localhost:6379" (string): allowed is a URL with'],
  ['url', { url: 'http://redis.example' }, 'url is "http://redis.example"'],
  ['url', { url: 7 }, 'url is 7 (number)'],
  ['prefix', { prefix: '' }, 'prefix is "" (string)'],
  ['timeoutMs', { timeoutMs: 0 }, 'timeoutMs is 0 (number): allowed is a whole number from 1'],
  ['timeoutMs', { timeoutMs: Infinity }, 'timeoutMs is Infinity'],
  ['timeoutMs', { timeoutMs: 2 ** 31 }, 'timeoutMs is 2147483648'],
  ['maxEntryBytes', { maxEntryBytes: '2MB' }, 'maxEntryBytes is "2MB" (string)'],
  ['maxEntryBytes', { maxEntryBytes: 2 ** 30 }, 'maxEntryBytes is 1073741824'],
  ['leaseMs', { leaseMs: 1.5 }, 'leaseMs is 1.5 (number)'],
  ['client', { client: null }, 'client is null (object)'],
  ['options', 'redis://localhost', 'options is "redis://localhost" (string)'],
];

test.each(wrong)('%s: a wrong value is refused by name', (_name, options, message) => {
  const create = (): unknown => redisPageStore(options as RedisPageStoreOptions);
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
});

test('an option that nobody reads is refused', () => {
  for (const options of [{ ttl: 60 }, { client: { url: 'redis://localhost' } }]) {
    expect(() => redisPageStore(options as RedisPageStoreOptions)).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
    );
  }
});

test('REDIS_URL is checked as the option is, and shown without its password', () => {
  vi.stubEnv('REDIS_URL', 'rediss:/user:secret@redis.example');
  expect(() => redisPageStore()).toThrow('REDIS_URL is "rediss:/redis.example" (string)');
  vi.stubEnv('REDIS_URL', 'https://user:secret@redis.example/?password=secret');
  expect(() => redisPageStore()).toThrow('REDIS_URL is "https://redis.example/" (string)');
  expect(() => redisPageStore({ url: 'redis://localhost' })).not.toThrow();
  vi.stubEnv('REDIS_URL', '');
  expect(() => redisPageStore()).not.toThrow();
});

test.each(['redis://:secret@[::1]:7000/2', 'rediss://redis.example', 'unix:///run/redis.sock'])(
  '%s is a URL',
  (url) => {
    expect(() => redisPageStore({ url })).not.toThrow();
  },
);
