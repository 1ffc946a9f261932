import { type PageStore, withSharedStore } from '@ng-ssr/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { storedServer } from '../../pages/stored-server.ts';
import { Shelf } from './fake-page-store.ts';

/** A server over a store with members of another kind. */
function serverOver(members: Record<string, unknown>) {
  const store = { ...new Shelf().open(), ...members } as PageStore;
  return storedServer(() => null, { features: [withSharedStore(store)] });
}

it('reports a store whose open is async and fails', async () => {
  const cause = new Error('no disk');
  const { handler, errors } = serverOver({ open: () => Promise.reject(cause) });
  await vi.waitFor(() => expect(errors).toMatchObject([{ code: 'NG_SSR_STORE_UNAVAILABLE' }]));
  expect(errors[0]!.cause).toBe(cause);
  await handler.close();
});

// Vitest fails for an unhandled rejection, which would end a process.
it('takes purge and close without promises', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const purge = vi.fn();
  const { handler, errors } = serverOver({ purge, close: () => undefined });
  await handler.cache.purge({ path: '/a' });
  expect(purge).toHaveBeenCalledOnce();
  const closed = handler.close();
  await vi.advanceTimersByTimeAsync(10_000);
  await closed;
  expect(errors).toEqual([]);
});
