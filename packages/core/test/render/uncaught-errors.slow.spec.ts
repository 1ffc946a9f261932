import { stress } from '@ng-ssr/conformance/fuzz';
import { expect, it } from 'vitest';
import { startProgram } from '../features/render-threads/program.ts';

const ORIGIN = 'http://localhost';

it.each([
  ['/rejects', 'Error: nobody waited'],
  ['/throws-in-timer', 'Error: nobody caught it'],
])('%s is answered, reported with its reason, and the process lives', async (target, cause) => {
  const { get, errors, heard } = await startProgram({});
  const answer = await get(target);
  expect([answer.status, await answer.text()]).toEqual([200, 'complete']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  await heard();
  const message = `GET ${target} (${ORIGIN}${target}) has left an error unhandled: ${cause}`;
  expect(errors).toEqual([{ code: 'NG_SSR_ERROR_UNHANDLED', message, cause }]);
  expect((await get('/page')).status).toBe(200);
});

it.each([
  ['/rejects', 'Error: nobody waited'],
  ['/throws-in-timer', 'Error: nobody caught it'],
])('%s is a 500 where any error fails the page', async (target, cause) => {
  const { get, errors, heard } = await startProgram({ failOnError: true });
  expect((await get(target)).status).toBe(500);
  await heard();
  const message = `GET ${target} failed`;
  expect(errors).toEqual([{ code: 'NG_SSR_RENDER_FAILED', message, cause }]);
});

it.each([
  ['/exit', 'Error: GET /exit called process.exit(7)'],
  ['/exit?token=secret', 'Error: GET /exit?token=... called process.exit(7)'],
  ['/exits-in-timer', 'Error: GET /exits-in-timer called process.exit(7)'],
])('%s is a 500 with its reason, and the process lives', async (target, cause) => {
  const { get, errors, heard } = await startProgram({});
  expect((await get(target)).status).toBe(500);
  await heard();
  expect(errors).toEqual([
    {
      code: 'NG_SSR_RENDER_FAILED',
      message: `GET ${target.replace('secret', '...')} failed`,
      cause,
    },
  ]);
  expect((await get('/page')).status).toBe(200);
});

const FAILURES = stress(300);

it(`${FAILURES} failures of each kind are a 500 each, and the process lives`, async () => {
  const { get, errors, heard, child } = await startProgram({ failOnError: true });
  for (const path of ['/throws', '/throws-later', '/rejects', '/throws-in-timer', '/exit']) {
    errors.length = 0;
    let left = FAILURES;
    const ask = async (): Promise<void> => {
      while (left > 0) {
        const answer = await get(`${path}?n=${left--}`);
        expect(answer.status).toBe(500);
        await answer.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 40 }, ask));
    await heard();
    expect(errors).toHaveLength(FAILURES);
    for (const { code, message } of errors) {
      expect(code).toBe('NG_SSR_RENDER_FAILED');
      expect(message).toMatch(`GET ${path}?n=`);
    }
  }
  expect((await get('/page')).status).toBe(200);
  expect(child.exitCode).toBeNull();
});

it('what fails beside another page fails that page alone', async () => {
  const { get } = await startProgram({ failOnError: true });
  const [slow, failed] = await Promise.all([get('/slow?ms=100'), get('/rejects')]);
  expect([slow!.status, failed!.status]).toEqual([200, 500]);
});

it('an error after a render is reported with its route, and the process lives', async () => {
  const { get, errors } = await startProgram({});
  expect(await (await get('/rejects-later')).text()).toBe('in time');
  await expect.poll(() => errors).toHaveLength(1);
  expect(errors).toEqual([
    {
      code: 'NG_SSR_ERROR_UNHANDLED',
      message: `GET /rejects-later (${ORIGIN}/rejects-later) has left an error unhandled: Error: nobody waited`,
      cause: 'Error: nobody waited',
    },
  ]);
  expect((await get('/page')).status).toBe(200);
});

it.each(
  [0, 1].flatMap((threads) => [
    [threads, '/exits-later', ['called process.exit(7)']],
    [threads, '/exits-later-async', ['called process.exit(7)']],
    [threads, '/exits-later-caught', ['called process.exit(7)']],
    [threads, '/exits-often', [2, 1, 0].map((left) => `called process.exit(${left})`)],
    [threads, '/throws-in-timer-later', ['nobody caught it']],
  ]) as [number, string, string[]][],
)(
  'an error or exit after a render ends neither the process nor its thread: %s threads, %s',
  async (threads, target, causes) => {
    const { get, errors, heard, child } = await startProgram({ renderThreads: { threads } });
    const thread = await (await get('/thread')).text();
    expect(await (await get(target)).text()).toBe('in time');
    await expect.poll(() => errors.length).toBeGreaterThanOrEqual(causes.length);
    await heard();
    expect(errors).toEqual(
      causes.map((cause) => ({
        code: 'NG_SSR_ERROR_UNHANDLED',
        message: expect.stringMatching(
          `^GET ${target} .* has left an error unhandled: Error: .*`,
        ) as string,
        cause: expect.stringContaining(cause) as string,
      })),
    );
    expect(await (await get('/thread')).text()).toBe(thread);
    expect(child.exitCode).toBeNull();
  },
);

// On Windows a signal of another process ends a process at once.
it.skipIf(process.platform === 'win32').each(['/hears-signals', '/hears-signals-and-hangs'])(
  'a handler of signals that a page has set up may exit, for it is the process that is asked to: %s',
  async (target) => {
    const { get, renders, child, ended, errors } = await startProgram({});
    void get(target).catch(() => {});
    await expect.poll(() => renders).toContain(`GET ${target}`);
    expect((await get('/page')).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(9);
    expect(errors).toEqual([]);
  },
);

it.each(['/rejects', '/rejects-later', '/exits-later'])(
  'a program that ends itself at the first error can: %s',
  async (target) => {
    const { get, ended } = await startProgram({}, { env: { EXITS_ON_ERROR: '1' } });
    void get(target).catch(() => {});
    expect(await ended).toBe(4);
  },
);

it.each([0, 1])(
  'each error of what a render has set up for long is reported (%s threads)',
  async (threads) => {
    const { get, errors } = await startProgram({ renderThreads: { threads } });
    expect(await (await get('/rejects-often')).text()).toBe('in time');
    await expect.poll(() => errors.map(({ cause }) => cause)).toHaveLength(3);
    expect(errors.map(({ cause }) => cause)).toEqual(
      [2, 1, 0].map((left) => `Error: lost ${left}`),
    );
  },
);

it('an error that cannot be read is a 500 at once in a thread, too', async () => {
  const { get } = await startProgram({
    renderThreads: { threads: 1 },
    render: { maxWaitMs: 30_000 },
  });
  expect((await get('/throws-unreadable')).status).toBe(500);
});

it('an engine may have its pages answered whatever they do', async () => {
  const { get, errors, heard } = await startProgram({ failOnError: false });
  expect(await (await get('/rejects')).text()).toBe('complete');
  await heard();
  expect(errors).toMatchObject([{ cause: 'Error: nobody waited' }]);
  expect((await get('/exit')).status).toBe(500);
});

it.each([
  ['throw', 1, 'Error: the server is broken'],
  ['reject', 1, 'Error: the server is broken'],
  ['exit', 3, ''],
])('what is no render’s has Node’s own treatment: %s', async (message, code, printed) => {
  const { get, child, ended, stderr, errors } = await startProgram({});
  expect((await get('/page')).status).toBe(200);
  child.send(message);
  expect(await ended).toBe(code);
  expect(stderr()).toContain(printed);
  expect(errors).toEqual([]);
});
