import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withSharedStore } from '@ng-ssr/core';
import { html, storedServer } from '../../pages/stored-server.ts';
import { Shelf } from './fake-page-store.ts';

const SLOW_MS = 3_500;

it('a stale page that renders slowly is rendered by one process', async () => {
  const shelf = new Shelf();
  let renders = 0;
  const servers = [1, 2, 3].map(() =>
    storedServer(
      async () => {
        const count = ++renders;
        if (count > 1) await wait(SLOW_MS);
        return html(`render ${count}`, {
          'cache-control': 's-maxage=60, stale-while-revalidate=600',
        });
      },
      { features: [withSharedStore(shelf.open())] },
    ),
  );
  const ask = async (): Promise<readonly string[]> =>
    (await Promise.all(servers.map((server) => server.get('/p')))).map(({ text }) => text);
  await servers[0]!.get('/p');
  await ask();
  await servers[0]!.handler.cache.purge({ path: '/p' });
  expect(new Set(await ask())).toEqual(new Set(['<!doctype html><p>render 1</p>']));
  await wait(SLOW_MS + 1_000);
  expect(new Set(await ask())).toEqual(new Set(['<!doctype html><p>render 2</p>']));
  expect(renders).toBe(2);
});
