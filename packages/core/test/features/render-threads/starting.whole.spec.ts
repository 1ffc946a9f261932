import { cpSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram, toPath } from './program.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each([
  ['throw', /uncaught Error: not in a thread/, {}],
  ['end', /has not loaded and created its server;/, {}],
  // A long wait of the program, made short.
  ['stay', /has not loaded and created its server in 30 s;/, { 30_000: 3000 }],
])(
  'where a program does not come to its server in a thread (%s), pages are rendered on the main thread',
  async (how, reason, clock) => {
    const { get, errors, heard } = await startProgram(
      { renderThreads: { threads: 2 }, render: { timeoutMs: 20_000 }, clock },
      { env: { IN_THREADS: how } },
    );
    expect(await (await get('/thread')).text()).toBe('0');
    await heard();
    expect(errors).toMatchObject([{ code: 'NG_SSR_WORKER_NOT_STARTED' }]);
    expect(errors[0]!.message).toMatch(reason);
    expect(errors[0]!.message).toMatch(/pages are rendered on the main thread$/);
  },
);

it('pages wait for the first thread', async () => {
  const { get } = await startProgram(
    { renderThreads: { threads: 1 } },
    { env: { LISTENS_AT_ONCE: '1' } },
  );
  const threads = await Promise.all([1, 2, 3].map(async () => (await get('/thread')).text()));
  expect(threads).toEqual(['1', '1', '1']);
});

it.each([
  ['resolves', 'true'],
  ['throw', 'false'],
])('a thread renders when the engine has been set up and loaded (%s)', async (how, loaded) => {
  const { get, errors } = await startProgram(
    { renderThreads: { threads: 1 } },
    { env: { LISTENS_AT_ONCE: '1', LOAD: how } },
  );
  const [first, thread] = await Promise.all([get('/loaded'), get('/thread')]);
  expect([await first.text(), await thread.text()]).toEqual([loaded, '1']);
  expect(errors).toEqual([]);
});

it('asked whether it is ready, a program starts its threads, and is when one can render', async () => {
  const { get, events } = await startProgram(
    { renderThreads: { threads: 1 }, probes: { ready: '/readyz' } },
    { env: { LISTENS_AT_ONCE: '1' } },
  );
  const first = await get('/readyz');
  expect([first.status, await first.text()]).toEqual([503, 'starting\n']);
  await expect.poll(async () => (await get('/readyz')).status).toBe(200);
  expect(events.map(({ event }) => event)).toEqual(['start', 'ready']);
});

it('without threads a program is ready at once', async () => {
  const { get } = await startProgram(
    { probes: { ready: '/readyz' } },
    { env: { LISTENS_AT_ONCE: '1' } },
  );
  expect((await get('/readyz')).status).toBe(200);
});

it('threads that cannot be replaced are tried again, and the main thread renders meanwhile', async () => {
  const flag = join(temporaryFolder(), 'flag');
  const { get, errors, heard } = await startProgram(
    { renderThreads: { threads: 1 }, render: { maxWaitMs: 100_000, timeoutMs: 100_000 } },
    { env: { THROWS_WHILE: flag } },
  );
  expect(await (await get('/thread')).text()).toBe('1');
  writeFileSync(flag, '');
  expect((await get('/exit-later')).headers.get('cache-status')).toContain('WORKER_LOST');
  expect(await (await get('/thread')).text()).toBe('0');
  await heard();
  expect(errors.map(({ code }) => code)).toContain('NG_SSR_WORKER_NOT_STARTED');
  rmSync(flag);
  await expect.poll(async () => Number(await (await get('/thread')).text())).toBeGreaterThan(0);
  expect(errors.filter(({ code }) => code === 'NG_SSR_WORKER_NOT_STARTED')).toHaveLength(1);
});

it('a program that was changed on disk is started in no thread', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'server.mjs');
  cpSync(toPath('shop.mjs'), file);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { get, errors, heard } = await startProgram({ renderThreads: { threads: 1 } }, { file });
  expect(await (await get('/thread')).text()).toBe('1');
  utimesSync(file, 1, 1);
  await get('/exit-later');
  expect(await (await get('/thread')).text()).toBe('0');
  await heard();
  const { message } = errors.find(({ code }) => code === 'NG_SSR_WORKER_NOT_STARTED')!;
  expect(message).toContain(`${file} has changed since this program was started`);
});

it('close ends all threads, and the program with them, whatever they render', async () => {
  const program = await startProgram({ renderThreads: { threads: 2 } });
  const hang = program.get('/hang');
  await expect.poll(() => program.renders).toContain('GET /hang');
  expect(await program.close()).toBe(0);
  expect((await hang).headers.get('cache-status')).toContain('WORKER_LOST');
  const ends = program.events.filter(({ event }) => event === 'end');
  expect(ends).toHaveLength(program.events.filter(({ event }) => event === 'start').length);
});

it('close lets a render that is about to end do so', async () => {
  const program = await startProgram({ renderThreads: { threads: 1 } });
  await program.get('/page');
  const slow = program.get('/slow?ms=100');
  await expect.poll(() => program.renders).toContain('GET /slow?ms=100');
  expect(await program.close()).toBe(0);
  expect(await (await slow).text()).toMatch(/^slow/);
  expect(program.errors).toEqual([]);
});
