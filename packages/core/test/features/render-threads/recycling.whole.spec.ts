import { expect, it } from 'vitest';
import { startProgram } from './program.ts';

it('a thread is replaced after recycleAfter renders, and no request is dropped', async () => {
  const { get, errors, events, heard } = await startProgram({
    renderThreads: { threads: 2, recycleAfter: 25 },
    render: { concurrency: 8, maxQueued: 1000 },
  });
  const threads = new Set<string>();
  let asked = 0;
  const client = async (): Promise<void> => {
    while (threads.size < 6) {
      const answer = await get(`/slow?ms=${asked++ % 3}`);
      expect(answer.status).toBe(200);
      threads.add(await answer.text());
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await heard();
  expect(errors).toEqual([]);
  const names = events.map(({ event }) => event);
  expect(names).toContain('recycle');
  expect(names).not.toContain('lost');
  // A successor is ready before its predecessor stops.
  for (const [i, { event }] of events.entries()) {
    if (event !== 'end') continue;
    const before = names.slice(0, i);
    const serving = before.filter((name) => name === 'ready').length;
    expect(serving - before.filter((name) => name === 'end').length).toBeGreaterThan(2);
  }
});

it('a thread whose heap stays near its bound is replaced before it passes it', async () => {
  const { get, errors, events, heard } = await startProgram({
    renderThreads: { threads: 1, maxHeapBytes: 512 * 2 ** 20 },
  });
  // More than three quarters, and less than all by as much as a young generation can add at once.
  for (let mb = 0; mb < 400; mb++) expect((await get('/leak')).status).toBe(200);
  const threads = new Set<string>();
  while (threads.size < 2) {
    const answer = await get('/garbage');
    expect(answer.status).toBe(200);
    threads.add(await answer.text());
  }
  await heard();
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'recycle', reason: 'its heap is nearly full' }),
  );
  expect(errors).toEqual([]);
});
