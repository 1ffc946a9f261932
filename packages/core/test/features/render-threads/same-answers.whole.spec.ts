import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { type Program, startProgram, toPath } from './program.ts';

const TARGETS = [
  ...[
    '/page?a=1&b=%C3%A4',
    '/bytes',
    '/headers',
    '/declined',
    '/throws',
    '/throws-text',
    '/breaks',
  ],
  ...['/exit', '/rejects', '/throws-in-timer', '/rejects-later'],
];

/** An answer, apart from our own lines of a stack. */
async function ask({ get }: Program, target: string): Promise<unknown> {
  const answer = await get(target, { 'x-context': 'plain', accept: 'text/html', cookie: 'c=1' });
  const { status } = answer;
  const headers = [...answer.headers].filter(([name]) => name !== 'date');
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  if (status !== 500) return { status, headers, text };
  const lines = text.split('\n').filter((line) => !/^ +at/.test(line) || /shop\.mjs/.test(line));
  return { status, lines };
}

it('a thread answers as the main thread does: pages, refusals and failures', async () => {
  const inProcess = await startProgram({});
  const threads = await startProgram({ renderThreads: { threads: 1 } });
  for (const target of TARGETS) {
    expect(await ask(threads, target), target).toEqual(await ask(inProcess, target));
  }
  await expect.poll(() => inProcess.errors.at(-1)?.message).toContain('/rejects-later');
  await expect.poll(() => threads.errors).toEqual(inProcess.errors);
  expect(Number(await (await threads.get('/thread')).text())).toBeGreaterThan(0);
  expect(await (await inProcess.get('/thread')).text()).toBe('0');
});

it.runIf(process.platform === 'linux')(
  'threads are nice, and no less than the program is',
  async () => {
    const { get } = await startProgram({ renderThreads: { threads: 1 } });
    expect(Number(await text(get('/niceness')))).toBe(Math.max(getPriority(), 5));
    const nicer = await startProgram(
      { renderThreads: { threads: 1 } },
      { env: { NICENESS: '19' } },
    );
    expect(await text(nicer.get('/niceness'))).toBe('19');
  },
);

it.runIf(process.platform === 'linux').each([
  ['a number', 11, Math.max(getPriority(), 11)],
  ['0: as the program', 0, getPriority()],
  ['less than the program has', -20, getPriority()],
  ['false: as the program', false, getPriority()],
] as const)('niceness is %s', async (_, niceness, expected) => {
  const { get } = await startProgram({ renderThreads: { threads: 1, niceness } });
  expect(await text(get('/niceness'))).toBe(String(expected));
});

const text = async (answer: Promise<Response>): Promise<string> => (await answer).text();

it('the engine in a thread is set up as the server is', async () => {
  const { get } = await startProgram({ renderThreads: { threads: 1 } });
  await get('/page');
  const setup = await (await get('/setup')).json();
  expect(setup).toMatchObject({ allowedHosts: ['localhost'], trustProxyHeaders: false });
  expect(setup.browserFolder).toContain('ng-ssr-workers-');
});

it('a request context comes as a structured clone', async () => {
  const { get } = await startProgram({ renderThreads: { threads: 1 } });
  const page = await (await get('/page', { 'x-context': 'plain' })).json();
  expect(page.context).toMatchObject({ user: 'ann', since: '1970-01-01T00:00:00.000Z' });
});

it('a request context that cannot be cloned is a 500 that says so, and only with threads', async () => {
  const threads = await startProgram({ renderThreads: { threads: 1 } });
  const inProcess = await startProgram({});
  expect((await inProcess.get('/page', { 'x-context': 'function' })).status).toBe(200);
  expect((await threads.get('/page', { 'x-context': 'function' })).status).toBe(500);
  await threads.heard();
  expect(threads.errors).toMatchObject([{ code: 'NG_SSR_CONTEXT_NOT_CLONEABLE' }]);
  expect(threads.errors[0]!.message).toMatch(/requestContext.*allowed with.*plain data/);
  expect((await threads.get('/page')).status).toBe(200);
});

it('a shared route that reads a cookie fails in a thread, too', async () => {
  const { get, errors, heard } = await startProgram({
    renderThreads: { threads: 1 },
    routeRules: { '/cookie': { sMaxAge: 60 } },
  });
  expect((await get('/cookie', { cookie: 'user=ann' })).status).toBe(500);
  await heard();
  expect(errors[0]!.cause).toContain("/cookie reads the request's cookie");
});

it('each of several servers in one program has its own threads', async () => {
  const program = await startProgram(
    { renderThreads: { threads: 1 } },
    { file: toPath('two.mjs') },
  );
  expect(program.started['answers']).toEqual(['second true', 'first true', 'second true']);
  // Threads that have nothing to do keep no program alive.
  expect(await program.ended).toBe(0);
});
