import { beforeEach, describe } from 'vitest';
import { defineEntryCases } from './entry-cases.ts';
import { defineInvalidationCases } from './invalidation-cases.ts';
import { defineLeaseCases } from './lease-cases.ts';
import type { PageStorePlace } from './place.ts';
import { definePurgeCases } from './purge-cases.ts';

export {
  bodyOf,
  type OpenStore,
  openStore,
  page,
  type PageStoreLimits,
  type PageStorePlace,
  readyStore,
} from './place.ts';

/** What the suite of page stores needs. */
export interface PageStoreSuite {
  /** The store's name, for the report. */
  readonly name: string;
  /** Called for each test. */
  createPlace(): Promise<PageStorePlace>;
}

/** The behaviour of a page store that several processes share, as `PageStore` describes it. */
export function definePageStoreSuite({ name, createPlace }: PageStoreSuite): void {
  describe(`${name} as a page store`, { timeout: 30_000 }, () => {
    let place: PageStorePlace | undefined;
    beforeEach(async ({ onTestFinished }) => {
      const created = (place = await createPlace());
      // In reverse order, and so after the stores. One that is open restores purges that its place has lost.
      onTestFinished(() => created.close());
    });
    const current = (): PageStorePlace => place!;
    defineEntryCases(current);
    definePurgeCases(current);
    defineInvalidationCases(current);
    defineLeaseCases(current);
  });
}
