import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { channelOf, withInspector } from '@ng-ssr/core';
import { html, storedServer } from '../../pages/stored-server.ts';
import { fromPage, inspectedServer, PATH, TOKEN } from './inspected-server.ts';

const EIGHT_HOURS_MS = 8 * 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a sample for each second counts what has happened in it, the last 300 of them', async () => {
  const server = inspectedServer();
  void server.handler.ready();
  for (let second = 0; second < 400; second++) {
    await server.get('/a');
    await server.get('/a');
    await vi.advanceTimersByTimeAsync(1000);
  }
  const { history, timeMs, requests } = await server.state();
  expect(history).toHaveLength(300);
  expect(
    history.every(
      (sample) =>
        sample.requests.hit === 2 || sample.requests.miss === 1 || sample.requests.stale > 0,
    ),
  ).toBe(true);
  expect(requests.hit + requests.stale + requests.miss).toBe(800);
  const times = history.map((sample) => sample.timeMs);
  expect(times).toEqual(times.map((_time, at) => times[0]! + at * 1000));
  expect(timeMs - times.at(-1)!).toBeLessThanOrEqual(1000);
  await server.handler.close();
});

it('seconds in which the process stood still are there, and empty', async () => {
  const server = inspectedServer();
  void server.handler.ready();
  await server.get('/a');
  await vi.advanceTimersByTimeAsync(2000);
  const before = (await server.state()).history.length;
  // As when a laptop or a container wakes up: clocks have gone on, and no timer has fired.
  const nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs + 10_000 + 500);
  await vi.advanceTimersByTimeAsync(1000);
  const { history } = await server.state();
  expect(history.length - before).toBe(10);
  expect(history.slice(before).map(({ requests }) => requests.hit + requests.miss)).toEqual(
    Array.from({ length: 10 }, () => 0),
  );
  vi.restoreAllMocks();
  await server.handler.close();
});

it('a wall clock that is set back does not disturb the history', async () => {
  const server = inspectedServer();
  void server.handler.ready();
  await server.get('/a');
  await vi.advanceTimersByTimeAsync(3000);
  vi.setSystemTime(Date.now() - 86_400_000);
  await vi.advanceTimersByTimeAsync(2000);
  const { history, timeMs } = await server.state();
  const times = history.map((sample) => sample.timeMs);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(Math.max(...times)).toBeLessThanOrEqual(timeMs + 1000);
  expect(new Set(times).size).toBe(times.length);
  await server.handler.close();
});

it('unusual paths drive out no route that takes much time', async () => {
  const server = inspectedServer();
  void server.handler.ready();
  const start = channelOf('ng-ssr:render:start');
  const end = channelOf('ng-ssr:render:end');
  const render = (target: string, durationMs: number): void => {
    const name = `GET ${target}`;
    const object = {};
    start.publish({ render: object, name, url: `http://localhost${target}`, queuedMs: 0 });
    end.publish({ render: object, name, durationMs, status: 200, error: undefined });
  };
  for (let round = 0; round < 20; round++) render('/slow', 100);
  for (let path = 0; path < 5000; path++) {
    render(`/${[...String(path)].map((digit) => 'abcdefghij'[Number(digit)]).join('-')}`, 1);
    render(`/numbers/${path}${'x'.repeat(path % 90)}`, 1);
  }
  const { routes, renders } = await server.state();
  expect(routes).toHaveLength(50);
  expect(routes.find(({ route }) => route === '/slow')).toMatchObject({ renders: 20, maxMs: 100 });
  expect(routes[0]!.route).toBe('/numbers/*');
  expect(renders).toMatchObject({ ended: 10_020, inFlight: [] });
  await server.handler.close();
});

it('renders in flight have their ages, and hostile targets are cut and escaped', async () => {
  let finish!: () => void;
  const hold = new Promise<void>((resolve) => (finish = resolve));
  const server = inspectedServer(async () => {
    await hold;
    return html('late', {});
  });
  const target = `/%E2%80%A8%E2%80%AE${'a'.repeat(1000)}`;
  const asked = server.get(target);
  await vi.advanceTimersByTimeAsync(1500);
  const { renders } = await server.state();
  expect(renders.inFlight).toHaveLength(1);
  expect(renders.inFlight[0]!.name).toHaveLength(300);
  expect(renders.inFlight[0]!.sinceMs).toBeGreaterThanOrEqual(1000);
  finish();
  await vi.advanceTimersByTimeAsync(10);
  await asked;
  await server.handler.close();
});

it('a session opens for eight hours, with the token that it was made with', async () => {
  const server = inspectedServer();
  const content = `token=${TOKEN}`;
  const signIn = await server.inspect('/sign-in', { method: 'POST', headers: {}, content });
  expect(signIn.status).toBe(303);
  const cookie = signIn.header('set-cookie')!.split(';')[0]!;
  const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await server.inspect('/state', { headers })).status;
  expect(await ask(fromPage(cookie))).toBe(200);
  expect(await ask(fromPage(`ng-ssr-inspector=x; ${cookie}; other=1`))).toBe(200);
  // Another process of the same token, and one of another.
  expect((await inspectedServer().inspect('/state', { headers: { cookie } })).status).toBe(200);
  const token = 'another-token-of-enough';
  const other = storedServer(() => null, { features: [withInspector({ token })] });
  expect((await other.get(`${PATH}/state`, { cookie })).status).toBe(401);
  const later = cookie.replace(/=\d+/, (time) => `=${Number(time.slice(1)) + 1000}`);
  expect(await ask(fromPage(later))).toBe(401);
  vi.setSystemTime(Date.now() + EIGHT_HOURS_MS + 1);
  expect(await ask(fromPage(cookie))).toBe(401);
});

it('guesses wait, and lock nobody out', async () => {
  const server = inspectedServer();
  const guess = (): Promise<unknown> =>
    server.inspect('/state', { headers: { authorization: 'Bearer a-guess-of-some-length' } });
  let refused = 0;
  const guesses = Array.from({ length: 150 }, () => guess().then(() => refused++));
  await vi.advanceTimersByTimeAsync(1);
  // A hundred wait; the oldest of the others had to go.
  expect(refused).toBe(50);
  expect((await server.inspect('/state')).status).toBe(200);
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all(guesses);
  expect(refused).toBe(150);
});

it('100,000 pages are searched and ordered in slices, as sorting all would', async () => {
  vi.useRealTimers();
  const { firstOf } = await import('../../../src/features/inspector/pages/first-of.ts');
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const items = Array.from({ length: 100_000 }, () => random.below(50_000));
  const compare = (one: number, other: number): number => one - other;
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  for (const count of [0, 1, 50, 3000]) {
    const first = await firstOf(items, count, compare);
    expect(first).toEqual(items.toSorted(compare).slice(0, count));
  }
  clearInterval(timer);
  // Other work had its turn.
  expect(turns).toBeGreaterThan(0);
});
