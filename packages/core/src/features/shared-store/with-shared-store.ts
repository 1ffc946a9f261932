import type { Feature } from '../../path/feature.ts';
import { assertStored, perServer } from '../../path/for-server.ts';
import { TierPages } from '../../pages/flights/tier-pages.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import type { PageStore } from './page-store.ts';
import { pageStore, sharedStore, type SharedStoreOptions } from './shared-store-options.ts';
import { SharedPages } from './shared-pages.ts';

/**
 * Shares cached pages and API responses between processes. Each process looks in its own memory first. The store is
 * `redisPageStore()`, `sqlitePageStore()`, `tieredPageStore()` or your own.
 *
 * @example
 * ```ts
 * features: [withSharedStore(redisPageStore({ url: process.env['REDIS_URL'] }))]
 * ```
 */
export function withSharedStore(store: PageStore, options: SharedStoreOptions = {}): Feature {
  const base = { name: 'shared-store', isForClients: true, isForNode: true };
  return perServer(base, (storing) => {
    pageStore('withSharedStore', store);
    const { buildId } = sharedStore('withSharedStore', options);
    assertStored('withSharedStore()', storing);
    return {
      install: ({ buildIdOf, report }): OwnExtension => ({
        openTier: (onPurge, context) => {
          const build = { buildId: buildIdOf(buildId), isFilling: storing.isFilling };
          const shared = new SharedPages(store, { ...build, onPurge, onError: report });
          return new TierPages(shared, context);
        },
      }),
    };
  });
}
