import { redisPageStore, type RedisPageStoreOptions } from '@ng-ssr/redis';
import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { describeServer, describeServers, withoutCredentials } from '../src/options.ts';

afterEach(() => vi.unstubAllEnvs());

const wrong: readonly [string, unknown, string][] = [
  ['url', { url: 'localhost:6379' }, 'url is "…" (string); allowed: a URL with redis://'],
  ['url', { url: 'http://redis.example' }, 'url is "http:…"'],
  ['url', { url: 7 }, 'url is 7 (number)'],
  ['prefix', { prefix: '' }, 'prefix is "" (string)'],
  ['timeoutMs', { timeoutMs: 0 }, 'timeoutMs is 0 (number); allowed: a whole number from 1'],
  ['timeoutMs', { timeoutMs: Infinity }, 'timeoutMs is Infinity'],
  ['timeoutMs', { timeoutMs: 2 ** 31 }, 'timeoutMs is 2147483648'],
  ['maxEntryBytes', { maxEntryBytes: '2MB' }, 'maxEntryBytes is "2MB" (string)'],
  ['maxEntryBytes', { maxEntryBytes: 2 ** 30 }, 'maxEntryBytes is 1073741824'],
  ['leaseMs', { leaseMs: 1.5 }, 'leaseMs is 1.5 (number)'],
  ['client', { client: null }, 'redisPageStore.client is null; allowed'],
  ['prefix', { prefix: '{shop}' }, 'allowed: a name for the keys, without braces'],
  [
    'cluster',
    { cluster: 'redis.example:6379' },
    'redisPageStore.cluster is "…" (string); allowed: a list of addresses, as in [\'redis.example:6379\']',
  ],
  ['cluster', { cluster: [] }, 'redisPageStore.cluster is [] (list)'],
  ['cluster', { cluster: ['redis.example'] }, 'cluster is ["redis.example"] (list)'],
  ['cluster', { cluster: ['redis.example:0'] }, 'cluster is ["redis.example:0"] (list)'],
  ['cluster', { cluster: ['redis.example:65536'] }, 'cluster is ["redis.example:65536"]'],
  ['cluster', { cluster: ['a:1'], url: 'redis://b' }, 'cluster is "…" (string); allowed: nothing'],
  [
    'sentinel',
    { sentinel: { name: 'a', nodes: ['b:1'] }, cluster: ['a:1'] },
    'redisPageStore.sentinel is "…" (string); allowed: nothing beside cluster',
  ],
  ['sentinel', { sentinel: { nodes: ['a:1'] } }, 'sentinel.name is missing; allowed: a name'],
  ['sentinel', { sentinel: { name: 'a' } }, 'sentinel.nodes is '],
  [
    'sentinel',
    { sentinel: { name: 'a', nodes: ['b:1'], client: 7 } },
    'redisPageStore.sentinel.client is 7 (number)',
  ],
  ['options', 'redis://localhost', 'redisPageStore() is "redis://localhost" (string)'],
];

test.each(wrong)('%s: a wrong value is refused by name', (_name, options, message) => {
  const create = (): unknown => redisPageStore(options as RedisPageStoreOptions);
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
});

test('an unknown option is refused', () => {
  for (const options of [
    { ttl: 60 },
    { client: { url: 'redis://localhost' } },
    { sentinel: { name: 'a', nodes: ['b:1'], quorum: 2 } },
  ]) {
    expect(() => redisPageStore(options as RedisPageStoreOptions)).toThrow(
      expect.objectContaining({ code: 'NG_SSR_OPTION_UNKNOWN' }),
    );
  }
});

test('REDIS_URL is checked as the option is, and shown without its password', () => {
  vi.stubEnv('REDIS_URL', 'rediss:/user:secret@redis.example');
  expect(() => redisPageStore()).toThrow('REDIS_URL is "rediss:…" (string)');
  vi.stubEnv('REDIS_URL', 'https://user:secret@redis.example/?password=secret');
  expect(() => redisPageStore()).toThrow('REDIS_URL is "https:…" (string)');
  expect(() => redisPageStore({ url: 'redis://localhost' })).not.toThrow();
  vi.stubEnv('REDIS_URL', '');
  expect(() => redisPageStore()).not.toThrow();
  vi.stubEnv('REDIS_URL', 'https://ignored.example');
  expect(() => redisPageStore({ cluster: ['[::1]:7000', 'redis.example:7000'] })).not.toThrow();
});

test('messages say that a server is the default', () => {
  expect(describeServer('redis://localhost:6379')).toContain(', the default without REDIS_URL,');
  expect(describeServer('redis://:secret@redis.example')).toBe('Redis at redis://redis.example');
});

test('messages name the servers of a cluster, or the Sentinels', () => {
  const nodes = [
    { host: '::1', port: 7 },
    { host: 'b', port: 8 },
  ];
  const url = '';
  const cluster = describeServers({ url, cluster: nodes, sentinel: undefined });
  expect(cluster).toBe('Redis Cluster at [::1]:7, b:8');
  const sentinel = { name: 'shop', nodes, client: {} };
  expect(describeServers({ url, cluster: undefined, sentinel })).toBe(
    'Redis, the primary "shop" of the Sentinels at [::1]:7, b:8,',
  );
});

test.each<unknown>([
  { url: 'redis://user:secret' },
  { url: 'redis://:secret%40redis.example:6379' },
  { url: 'redis//user:secret@redis.example' },
  { url: 'redis://user:se#secret@redis.example/x' },
  { url: 'redis://redis.example:port?password=secret' },
  { url: 'default:secret' },
  { url: 'unix:///?password=secret' },
  { url: new URL('redis://:secret@redis.example') },
  { url: 'redis://:secret@redis.example', client: { socket: { tls: true } } },
  { cluster: ['user:secret@redis.example:6379'] },
  { cluster: 'redis://:secret@redis.example' },
  { sentinel: { name: 'shop', nodes: ['redis://:secret@redis.example:26379'] } },
  { sentinel: 'secret' },
  { client: 'secret' },
  'redis://user:secret@redis.example',
  'secret',
])('no message has the password in it: %o', (options) => {
  const create = (): unknown => redisPageStore(options as RedisPageStoreOptions);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
  try {
    create();
  } catch (error) {
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('secret');
  }
});

test.each([
  ['redis://user:secret@redis.example:7000/2?password=secret', 'redis://redis.example:7000/2'],
  ['rediss://:secret@[::1]', 'rediss://[::1]'],
  ['redis://user%3Asecret%40host', 'redis:…'],
  ['unix://user:secret@/run/redis.sock?db=1', 'unix:///run/redis.sock'],
])('%s is shown as %s', (url, shown) => expect(withoutCredentials(url)).toBe(shown));

test.each(['redis://:secret@[::1]:7000/2', 'rediss://redis.example', 'unix:///run/redis.sock'])(
  '%s is a URL',
  (url) => {
    expect(() => redisPageStore({ url })).not.toThrow();
  },
);
