import { hasFunctions } from '../../check-option.ts';
import { group, option, type Option, optional } from '../../options/option.ts';
import { text } from '../../options/option-values.ts';
import type { PageStore } from './page-store.ts';

/** Options of `withSharedStore()`. */
export interface SharedStoreOptions {
  /**
   * Separates the pages of builds. `withPublicConfig()` adds a hash of the configuration. Default: a hash of the build.
   */
  readonly buildId?: string | undefined;
}

export const pageStore: Option<PageStore> = option(
  isStore,
  'redisPageStore() of @ng-ssr/redis, sqlitePageStore() of @ng-ssr/sqlite, tieredPageStore() of @ng-ssr/tiered-store, or a ' +
    'page store of your own, with open(), version(), get(), set(), delete(), purge(), lease() and close()',
);

export const sharedStore: Option<SharedStoreOptions> = group({
  buildId: optional(text(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, ".", "_" and "-"')),
});

const FUNCTIONS = ['open', 'version', 'get', 'set', 'delete', 'purge', 'lease', 'close'];

function isStore(store: unknown): boolean {
  if (!hasFunctions(store, FUNCTIONS)) return false;
  return ['undefined', 'function'].includes(typeof (store as PageStore).invalidate);
}
