import { expect, it } from 'vitest';
import { type Program, startProgram } from './program.ts';

const CORES = { env: { CORES: '4' } };

/** The number of threads that have had an event. */
function count({ events }: Program, name: string): number {
  return events.filter(({ event }) => event === name).length;
}

it('auto starts with one thread, and adds others while renders compute, up to one per other core', async () => {
  const program = await startProgram({ renderThreads: { threads: 'auto' } }, CORES);
  await program.heard();
  expect(count(program, 'start')).toBe(1);
  const client = async (): Promise<void> => {
    while (count(program, 'ready') < 3) {
      expect((await program.get('/busy?ms=20')).status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  // It is at its maximum now.
  const more = Array.from({ length: 100 }, async () => (await program.get('/busy?ms=20')).text());
  expect(new Set(await Promise.all(more)).size).toBe(3);
  await program.heard();
  expect(count(program, 'start')).toBe(3);
  expect(count(program, 'grow')).toBe(2);
  expect(program.events).toContainEqual(
    expect.objectContaining({ event: 'grow', reason: 'renders wait for busy threads' }),
  );
  expect(program.errors).toEqual([]);
  expect(await program.close()).toBe(0);
});

it('auto stays with one thread while its renders wait', async () => {
  const program = await startProgram({ renderThreads: { threads: 'auto' } }, CORES);
  // Several readings of the pool, each with more renders than threads.
  for (let n = 0; n < 3; n++) {
    const pages = Array.from({ length: 12 }, () => program.get('/slow?ms=500'));
    for (const page of await Promise.all(pages)) expect(page.status).toBe(200);
  }
  await program.heard();
  expect(program.events.map(({ event }) => event)).toEqual(['start', 'ready']);
});

it('a number of threads start at once', async () => {
  const program = await startProgram({ renderThreads: { threads: 3 } });
  await expect.poll(() => count(program, 'ready')).toBe(3);
  await program.heard();
  expect(program.events.slice(0, 3).map(({ event }) => event)).toEqual(['start', 'start', 'start']);
});

it('where further threads do not start, the first goes on', async () => {
  const program = await startProgram(
    { renderThreads: { threads: 'auto' } },
    { env: { ...CORES.env, ONLY_FIRST_THREAD: '1' } },
  );
  const client = async (): Promise<void> => {
    while (program.errors.length === 0) {
      expect(await (await program.get('/busy?ms=20')).text()).toBe('busy 1');
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(program.errors).toMatchObject([{ code: 'NG_SSR_WORKER_NOT_STARTED' }]);
  expect(program.errors[0]!.message).not.toContain('on the main thread');
  expect(await (await program.get('/thread')).text()).toBe('1');
});
