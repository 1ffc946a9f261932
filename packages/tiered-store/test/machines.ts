import { type OpenStore, page } from '@ng-ssr/conformance/page-store';
import type { StoredPage } from '@ng-ssr/core';
import { tieredPageStore, type TieredPageStoreOptions } from '@ng-ssr/tiered-store';
import { expect, onTestFinished, vi } from 'vitest';
import type { Place } from './place.ts';
import type { Proxy } from './proxy.ts';
import type { S3Server } from './s3-server.ts';

/** A busy machine may take its time. */
export const POLL = { timeout: 60_000, interval: 20 } as const;

/** The store of a machine, which has a folder of bodies of its own in front of the bucket. */
export interface MachineOptions extends Partial<TieredPageStoreOptions> {
  readonly place: Place;
  readonly s3: S3Server;
  readonly proxy?: Proxy;
  /** Without one, it has the bucket alone. */
  readonly folder?: string;
  /** Of the bucket. */
  readonly timeoutMs?: number;
  readonly isFilling?: boolean;
}

/** Opens the store of a machine, and waits until it knows earlier purges. It is closed at the end of the test. */
export async function openMachine({
  place,
  s3,
  proxy,
  folder,
  timeoutMs = 10_000,
  isFilling,
  ...more
}: MachineOptions): Promise<OpenStore> {
  const bucket = s3.bodies({ ...(proxy && { port: proxy.port }), timeoutMs });
  const bodies = [...(folder === undefined ? [] : [place.bodies(folder)]), bucket];
  const store = tieredPageStore(place.options({ bodies, ...more }));
  const opened: OpenStore = { store, purges: [], errors: [] };
  store.open({
    buildId: 'build',
    isFilling,
    onPurge: (purge) => opened.purges.push(purge),
    onError: (error) => opened.errors.push(error),
  });
  onTestFinished(() => store.close());
  await vi.waitFor(() => expect(store.version()).toBeGreaterThan(0), POLL);
  return opened;
}

/** A page whose text tells which one it is. */
export function textPage(name: string, overrides: Partial<StoredPage> = {}): StoredPage {
  return page(textOf(name), { path: name, tags: [name], ...overrides });
}

export function textOf(name: string): string {
  return `<p>${name}</p>`.repeat(200);
}
