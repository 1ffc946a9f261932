import type { PageStore, Purge, SsrError, StoredPage } from '@ng-ssr/core';
import { expect, onTestFinished, vi } from 'vitest';

/** Limits that the suite sets; the names are those of the options of a store. */
export interface PageStoreLimits {
  readonly maxEntryBytes?: number;
  readonly maxPagesPerPath?: number;
  readonly leaseMs?: number;
}

/** Where stores share pages: a server, a file. It is empty at first. */
export interface PageStorePlace {
  /** A store as one process has it; it is opened and closed by the suite. */
  createStore(limits: PageStoreLimits): PageStore;
  /** Called after the stores are closed. */
  close(): Promise<void>;
}

/** A store as one process has it, with what it told. */
export interface OpenStore {
  readonly store: PageStore;
  readonly purges: Purge[];
  readonly errors: SsrError[];
}

/** A busy machine may take its time. */
export const POLL = { timeout: 60_000, interval: 10 } as const;

/** Opens a store, which is closed at the end of the test. */
export function openStore(
  place: PageStorePlace,
  { buildId = 'build', ...limits }: PageStoreLimits & { readonly buildId?: string } = {},
): OpenStore {
  const store = place.createStore(limits);
  const opened: OpenStore = { store, purges: [], errors: [] };
  store.open({
    buildId,
    onPurge: (purge) => opened.purges.push(purge),
    onError: (error) => opened.errors.push(error),
  });
  onTestFinished(() => store.close());
  return opened;
}

/** Opens a store and waits until it has read what was purged before. */
export async function readyStore(
  place: PageStorePlace,
  options: Parameters<typeof openStore>[1] = {},
): Promise<OpenStore> {
  const opened = openStore(place, options);
  await vi.waitFor(() => expect(opened.store.version()).toBeGreaterThan(0), POLL);
  return opened;
}

/** A page that is fresh for a minute. */
export function page(body: string, overrides: Partial<StoredPage> = {}): StoredPage {
  return {
    status: 200,
    headers: ['content-type', 'text/html; charset=utf-8', 'etag', 'W/"abc"'],
    body: Buffer.from(body),
    path: '/products/1',
    tags: ['products', 'product-1'],
    dateMs: Date.now(),
    freshSeconds: 60,
    staleWhileRevalidateSeconds: 600,
    staleIfErrorSeconds: 0,
    ...overrides,
  };
}

/** The body of what a store has under a key; undefined for a miss. */
export async function bodyOf(store: PageStore, key: string): Promise<string | undefined> {
  const found = await store.get(key);
  if (found === undefined || !('body' in found.entry)) return undefined;
  return Buffer.from(found.entry.body).toString();
}
