import { expect, it } from 'vitest';
import { withSharedStore } from '@ng-ssr/core';
import { turn } from '../../pages/clock.ts';
import { Shelf } from './fake-page-store.ts';
import { html, storedServer } from '../../pages/stored-server.ts';

/** Longer than the store may take for an answer. */
const BLOCKED_MS = 600;

it('a process that is busy while the store answers does not take it for unreachable', async () => {
  const shelf = new Shelf();
  const codes: string[] = [];
  const { get, handler } = storedServer(() => html('page', { 'cache-control': 's-maxage=60' }), {
    features: [withSharedStore(shelf.open())],
    onError: ({ code }) => void codes.push(code),
  });
  let blocks = 0;
  shelf.delay = async () => {
    await turn();
    // As a render in this process would, before the answer comes.
    if (blocks++ === 0) block();
    await turn();
  };
  await get('/p');
  await handler.close();
  expect(blocks).toBeGreaterThan(1);
  expect(codes).toEqual([]);
  expect(shelf.entries.size).toBe(1);
});

function block(): void {
  const untilMs = performance.now() + BLOCKED_MS;
  while (performance.now() < untilMs);
}
