export { sqlitePageStore } from './sqlite-page-store.ts';
export type { SqlitePageStoreOptions } from './options.ts';
