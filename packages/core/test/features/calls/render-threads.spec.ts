import { expect, it, vi } from 'vitest';
import { startProgram, toPath } from '../render-threads/program.ts';
import { startApi } from './api-server.ts';

it('render threads share one cache of calls, and calls in flight', async () => {
  const api = await startApi();
  const options = {
    renderThreads: { threads: 2 },
    render: { concurrency: 8 },
    calls: { [`${api.origin}/**`]: { cache: { sMaxAge: 60 } } },
  };
  const program = await startProgram(options, { file: toPath('caller.mjs') });
  const calls = JSON.stringify([
    { url: `${api.origin}/late?ms=40` },
    { url: `${api.origin}/echo` },
  ]);
  const ask = (page: number): Promise<Response> =>
    program.get(`/page?n=${page}&calls=${encodeURIComponent(calls)}`);
  const threadsOf = (pages: readonly Response[]): number =>
    new Set(pages.map(({ headers }) => headers.get('x-thread'))).size;
  // On a busy machine the second thread starts when the first one could have rendered all pages.
  await vi.waitFor(async () => {
    const early = Array.from({ length: 8 }, () => program.get('/early?calls=[]'));
    expect(threadsOf(await Promise.all(early))).toBe(2);
  }, 30_000);
  const pages = await Promise.all(Array.from({ length: 40 }, (_, page) => ask(page)));
  pages.push(await ask(40));
  expect(threadsOf(pages)).toBe(2);
  for (const page of pages) {
    expect(await page.json()).toMatchObject([{ text: 'late' }, { status: 200 }]);
  }
  expect(api.received.map(({ url }) => url).toSorted()).toEqual(['/echo', '/late?ms=40']);
  await program.heard();
  const results = new Set(program.calls.map(({ result }) => result));
  expect(results).toEqual(new Set(['miss', 'collapsed', 'hit']));
});
