import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { type ServerDescription, type ServerEvent, withSharedStore } from '@ng-ssr/core';
import { Shelf } from '../features/shared-store/fake-page-store.ts';
import { turn, until } from '../pages/clock.ts';
import { html, storedServer } from '../pages/stored-server.ts';

test('a page counts as rendered when the store has it, however long that takes', async () => {
  const store = new Shelf().open();
  let take: (() => void) | undefined;
  const slow = {
    ...store,
    set: async (...entry: Parameters<typeof store.set>) => {
      await new Promise<void>((resolve) => (take = resolve));
      return store.set(...entry);
    },
  };
  let description: ServerDescription | undefined;
  const learn = (message: unknown): void => {
    const event = message as ServerEvent;
    if (event.event === 'create') ({ description } = event);
  };
  subscribe('ng-ssr:server', learn);
  storedServer(() => html('page', { 'cache-control': 's-maxage=60' }), {
    features: [withSharedStore(slow)],
  });
  unsubscribe('ng-ssr:server', learn);
  const filled = description!.fill('http://localhost/p', undefined);
  await until(() => take !== undefined);
  // A look into the store at this time would not find the page.
  for (let turns = 0; turns < 10; turns++) await turn();
  take!();
  expect(await filled).toEqual({ result: 'rendered' });
});
