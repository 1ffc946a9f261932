import { isShort } from '@ng-ssr/conformance/fuzz';
import { expect, it } from 'vitest';
import { type Program, startProgram } from './program.ts';

const status = async (answer: Promise<Response>): Promise<number> => (await answer).status;
const text = async (answer: Promise<Response>): Promise<string> => (await answer).text();

function eventsOf({ events }: Program): string[] {
  return events.map(({ event }) => event);
}

it('an endless loop is ended with its thread, and what is held is answered meanwhile', async () => {
  const program = await startProgram({
    // A new thread's start is part of the next render's time.
    renderThreads: { threads: 1 },
    render: { timeoutMs: 6000, maxWaitMs: 30_000 },
  });
  const { get, errors, heard } = program;
  const thread = await text(get('/thread'));
  const loop = get('/loop');
  await expect.poll(() => status(get('/robots.txt'))).toBe(200);
  const answer = await loop;
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-status')).toContain('detail=csr-NG_SSR_RENDER_TIMEOUT');
  expect(await text(get('/thread'))).not.toBe(thread);
  await heard();
  expect(errors).toMatchObject([{ code: 'NG_SSR_RENDER_TIMEOUT' }]);
  expect(errors[0]!.message).toContain('GET /loop');
});

it('renders go on beside an endless loop, also those that were sent to its thread', async () => {
  const { get, errors, heard, renders } = await startProgram({
    renderThreads: { threads: 2 },
    render: { concurrency: 16 },
  });
  await expect.poll(async () => new Set(await both(get)).size).toBe(2);
  // From its first moment, so that what is sent to its thread later comes behind it.
  const loop = '/busy?ms=1e9';
  void get(loop).catch(() => {});
  await expect.poll(() => renders).toContain(`GET ${loop}`);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => text(get('/thread'))));
    expect(new Set(answers).size).toBe(1);
  }
  await heard();
  expect(errors).toEqual([]);
});

const both = (get: Program['get']): Promise<string[]> =>
  Promise.all([text(get('/slow?ms=50')), text(get('/slow?ms=50'))]);

it('pages on the thread of a loop are rendered again long before the loop times out', async () => {
  // Long enough for a busy machine to render the others; the whole run waits for it.
  const timeoutMs = isShort ? 100_000 : 30_000;
  const { get, errors, heard, renders } = await startProgram({
    renderThreads: { threads: 1 },
    render: { timeoutMs, maxWaitMs: 2 * timeoutMs },
  });
  const innocents = Array.from({ length: 3 }, () => text(get('/slow?ms=300')));
  await expect.poll(() => renders).toHaveLength(3);
  const loop = get('/loop');
  for (const answer of await Promise.all(innocents)) expect(answer).toMatch(/^slow/);
  await heard();
  expect(errors).toEqual([]);
  // And the loop, alone on a thread, ends no other page until its time is over.
  expect(await text(get('/slow?ms=1'))).toMatch(/^slow/);
  await heard();
  expect(errors).toEqual([]);
  // The first test of this file has a shorter timeout.
  if (isShort) return void loop.catch(() => {});
  expect((await loop).headers.get('cache-status')).toContain('csr-NG_SSR_RENDER_TIMEOUT');
});

it('a render that hangs times out, and others on its thread end normally', async () => {
  const program = await startProgram({
    renderThreads: { threads: 1 },
    render: { timeoutMs: 6000, maxWaitMs: 30_000 },
  });
  const { get, errors, heard, renders } = program;
  const thread = (await text(get('/slow?ms=0'))).slice('slow '.length);
  const hang = get('/hang');
  await expect.poll(() => renders).toContain('GET /hang');
  // It begins while the other hangs, ends after that is given up, and has two seconds left then: a busy machine may be
  // late by as much.
  await new Promise((resolve) => setTimeout(resolve, 3500));
  const innocent = text(get('/slow?ms=4000'));
  expect((await hang).headers.get('cache-status')).toContain('csr-NG_SSR_RENDER_TIMEOUT');
  expect(await innocent).toBe(`slow ${thread}`);
  await expect.poll(() => eventsOf(program).at(-1)).toBe('end');
  expect(await text(get('/thread'))).not.toBe(thread);
  expect(eventsOf(program)).not.toContain('lost');
  await heard();
  expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_TIMEOUT']);
});

it.each([
  ['an error that is nobody’s', '/crash', /uncaught Error: nobody is to blame/],
  ['process.exit behind a render’s back', '/exit-later', /it exited with code 7/],
  ['a heap without a bound', '/memory', /outgrew 48 MiB \(withRenderThreads\.maxHeapBytes\)/],
])('%s ends its own page only', async (_name, target, reason) => {
  // Until its heap is full, a render may take longer than the default deadline on a busy machine.
  const program = await startProgram({
    renderThreads: { threads: 1, maxHeapBytes: 48 * 2 ** 20 },
    render: { maxWaitMs: 100_000, timeoutMs: 100_000 },
  });
  const { get, errors, heard } = program;
  const thread = await text(get('/thread'));
  const innocents = Array.from({ length: 3 }, () => text(get('/slow?ms=300')));
  const guilty = get(target);
  for (const answer of await Promise.all(innocents)) expect(answer).toMatch(/^slow \d+$/);
  expect((await guilty).headers.get('cache-status')).toContain('csr-NG_SSR_WORKER_LOST');
  expect(await text(get('/thread'))).not.toBe(thread);
  await heard();
  // Once for each thread that was lost.
  const lost = eventsOf(program).filter((event) => event === 'lost').length;
  expect(errors).toHaveLength(lost);
  for (const { code, message } of errors) {
    expect(code).toBe('NG_SSR_WORKER_LOST');
    expect(message).toContain(`GET ${target}`);
    expect(message).toMatch(reason);
  }
  expect(await status(get('/robots.txt'))).toBe(200);
});

it('an error after a render is reported with its route, and its thread lives', async () => {
  const program = await startProgram({ renderThreads: { threads: 1 } });
  const thread = await text(program.get('/thread'));
  expect(await text(program.get('/rejects-later'))).toBe('in time');
  await expect.poll(() => program.errors).toMatchObject([{ code: 'NG_SSR_ERROR_UNHANDLED' }]);
  expect(program.errors[0]).toMatchObject({ cause: 'Error: nobody waited' });
  expect(program.errors[0]!.message).toContain('GET /rejects-later');
  expect(await text(program.get('/thread'))).toBe(thread);
});

it('a thread is not taken for blocked because the main thread was', async () => {
  const program = await startProgram({ renderThreads: { threads: 1 } });
  const { get, child, renders } = program;
  const thread = (await text(get('/slow?ms=0'))).slice('slow '.length);
  const busy = text(get('/busy?ms=1500'));
  await expect.poll(() => renders).toHaveLength(2);
  // By now it has been asked whether it is there.
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.send({ blockMs: 4000 });
  expect(await busy).toBe(`busy ${thread}`);
  expect(await text(get('/thread'))).toBe(thread);
  expect(eventsOf(program)).toEqual(['start', 'ready']);
});
