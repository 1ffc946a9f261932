import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withCalls, withSharedStore } from '@ng-ssr/core';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { html, storedServer } from '../../pages/stored-server.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Fails unless nearly all of them are garbage soon. */
async function expectCollected(
  memories: readonly WeakRef<ArrayBuffer | Uint8Array>[],
): Promise<void> {
  await expect
    .poll(
      () => {
        gc();
        return memories.filter((memory) => memory.deref() !== undefined).length;
      },
      { timeout: 20_000 },
    )
    .toBeLessThan(3);
}

it('a stored response keeps its own bytes, not the memory that they were a part of', async () => {
  const memories: WeakRef<ArrayBuffer>[] = [];
  const server = storedServer(
    async ({ url }) => html(await (await fetch(`/api${new URL(url).search}`)).text(), {}),
    { features: [withCalls({ '/api': { inProcess: true, cache: { sMaxAge: 60 } } })] },
  );
  server.handler.useRoutes(() => {
    const memory = new ArrayBuffer(1024 * 1024);
    memories.push(new WeakRef(memory));
    const body = new Uint8Array(memory, 100, 3).fill(97);
    return { status: 200, statusText: '', headers: new Headers(), body };
  });
  for (let i = 0; i < 20; i++) expect((await server.get(`/p?${i}`)).text).toContain('aaa');
  expect(memories).toHaveLength(20);
  await expectCollected(memories);
  // They are stored: the routes are not asked again.
  expect((await server.get('/p?0')).text).toContain('aaa');
  expect(memories).toHaveLength(20);
});

it('a response of a store keeps no Brotli bytes, which no call gets', async () => {
  const store = new Shelf().open();
  const memories: WeakRef<Uint8Array>[] = [];
  const get: typeof store.get = async (key) => {
    if (!key.includes('/api')) return undefined;
    const brotli = new Uint8Array(1024 * 1024);
    memories.push(new WeakRef(brotli));
    const times = { freshSeconds: 60, staleWhileRevalidateSeconds: 0, staleIfErrorSeconds: 0 };
    const content = { status: 200, headers: [], body: Buffer.from('stored'), brotli };
    const entry = { ...content, ...times, path: '/api', tags: [], dateMs: Date.now() };
    return { entry, isPurged: false };
  };
  const server = storedServer(
    async ({ url }) => html(await (await fetch(`/api${new URL(url).search}`)).text(), {}),
    {
      features: [
        withCalls({ '/api': { inProcess: true, cache: { sMaxAge: 60 } } }),
        withSharedStore({ ...store, get }),
      ],
    },
  );
  for (let i = 0; i < 20; i++) expect((await server.get(`/p?${i}`)).text).toContain('stored');
  expect(memories).toHaveLength(20);
  await expectCollected(memories);
});
