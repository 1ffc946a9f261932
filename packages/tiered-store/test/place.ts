import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageStore } from '@ng-ssr/core';
import type { PageStoreLimits, PageStorePlace } from '@ng-ssr/conformance/page-store';
import { sqlitePageStore } from '@ng-ssr/sqlite';
import {
  type BodyStore,
  folderBodies,
  tieredPageStore,
  type TieredPageStoreOptions,
} from '@ng-ssr/tiered-store';

/** The smallest folder that is allowed. */
export const LEAST_BYTES: number = 64 * 1024 * 1024;

/** A folder of a test's own, with an index in a file and folders of bodies. */
export class Place implements PageStorePlace {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'ng-ssr-tiered-'));
  /** The last store of bodies; without one, a folder is. */
  readonly #last: (() => BodyStore) | undefined;
  readonly #index: ((limits: PageStoreLimits) => PageStore) | undefined;

  constructor(last?: () => BodyStore, index?: (limits: PageStoreLimits) => PageStore) {
    this.#last = last;
    this.#index = index;
  }

  /** @param name - Of a folder of bodies; each machine has one. */
  bodies(name = 'bodies'): BodyStore {
    // A busy machine is no outage.
    return folderBodies({ folder: this.path(name), maxBytes: LEAST_BYTES, timeoutMs: 10_000 });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  index(limits: PageStoreLimits = {}): PageStore {
    if (this.#index !== undefined) return this.#index(limits);
    const maxBytes = 64 * 1024 * 1024;
    return sqlitePageStore({ file: this.path('pages.db'), maxBytes, timeoutMs: 10_000, ...limits });
  }

  options(more: Partial<TieredPageStoreOptions> = {}): TieredPageStoreOptions {
    const bodies = [this.bodies(), ...(this.#last === undefined ? [] : [this.#last()])];
    return { index: this.index(), bodies, inlineBytes: 0, writeTimeoutMs: 60_000, ...more };
  }

  createStore({ maxEntryBytes, ...limits }: PageStoreLimits = {}): PageStore {
    const index = this.index(limits);
    return tieredPageStore(
      this.options({ index, ...(maxEntryBytes !== undefined && { maxEntryBytes }) }),
    );
  }

  async close(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
