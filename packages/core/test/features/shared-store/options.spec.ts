import { expect, it, test } from 'vitest';
import { type PageStore, type SharedStoreOptions, withSharedStore } from '@ng-ssr/core';
import { expectRefused, refusalOf } from '../../options/refused-options.ts';
import { Shelf } from './fake-page-store.ts';
import { storedServer } from '../../pages/stored-server.ts';

const none = (): undefined => undefined;
/** What a store has at least. */
const STORE = {
  ...{ open: none, version: none, get: none, set: none, delete: none, purge: none },
  ...{ lease: none, close: none },
};

const withStore = (store: unknown, options?: unknown): object => ({
  features: [withSharedStore(store as PageStore, options as SharedStoreOptions)],
});

test.each([
  ['redis://x', '"redis://x"'],
  [undefined, 'missing'],
  [null, 'null'],
  [{}, ''],
  [{ open: none }, ''],
  [{ ...STORE, lease: true }, ''],
  [{ ...STORE, invalidate: true }, ''],
])('%o is no store', (store, value) => {
  expectRefused(withStore(store), 'withSharedStore', value, 'a page store');
});

test.each([
  ['', '""'],
  ['a b', '"a b"'],
  ['x'.repeat(65), '"xxx'],
  [7, '7'],
])('%j is no id of a build', (buildId, value) => {
  const options = withStore(STORE, { buildId });
  expectRefused(options, 'withSharedStore.buildId', value, 'up to 64 letters');
});

test('other options are refused', () => {
  expect(refusalOf(withStore(STORE, { build: 'a' })).code).toBe('NG_SSR_OPTION_UNKNOWN');
  expect(refusalOf(withStore(STORE, 'a')).message).toMatch(/^withSharedStore is "a"/);
});

it('opens its store where pages are stored, and nowhere else', async () => {
  for (const [options, opened] of [
    [{}, 1],
    [{ files: { folder: '/nowhere/browser' } }, undefined],
  ] as const) {
    const shelf = new Shelf();
    const feature = withSharedStore(shelf.open(), { buildId: 'a.B_1-'.repeat(10) });
    const { handler } = storedServer(() => null, { features: [feature], ...options });
    await handler.close();
    expect([shelf.calls['open'], shelf.calls['close']]).toEqual([opened, opened]);
  }
});
