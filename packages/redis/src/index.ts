export { redisPageStore } from './redis-page-store.ts';
export { redisBuildStore, type RedisBuildStoreOptions } from './redis-build-store.ts';
export type { RedisPageStoreOptions, RedisSentinelOptions } from './options.ts';
