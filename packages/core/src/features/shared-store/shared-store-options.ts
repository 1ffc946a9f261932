import { group, option, type Option, optional } from '../../options/option.ts';
import { text } from '../../options/option-values.ts';
import type { PageStore } from './page-store.ts';

/** Options of `withSharedStore()`. */
export interface SharedStoreOptions {
  /**
   * Separates the pages of this build from those of other builds. `withPublicConfig()` adds a hash of the
   * configuration. Default: a hash of the build.
   */
  readonly buildId?: string | undefined;
}

/** The store that `withSharedStore` takes. */
export const pageStore: Option<PageStore> = option(
  isStore,
  'a page store: redisPageStore() of @ng-ssr/redis, or sqlitePageStore() of @ng-ssr/sqlite',
);

/** The options that `withSharedStore` takes. */
export const sharedStore: Option<SharedStoreOptions> = group({
  buildId: optional(text(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, ".", "_" and "-"')),
});

const FUNCTIONS = ['open', 'version', 'get', 'set', 'delete', 'purge', 'lease', 'close'];

function isStore(store: unknown): boolean {
  const given = Object(store) as Readonly<Record<string, unknown>>;
  const isCalled = FUNCTIONS.every((name) => typeof given[name] === 'function');
  return isCalled && ['undefined', 'function'].includes(typeof given['invalidate']);
}
