export { redisPageStore } from './redis-page-store.ts';
export type { RedisPageStoreOptions } from './options.ts';
