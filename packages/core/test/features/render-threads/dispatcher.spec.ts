import { expect, it, vi } from 'vitest';
import type { SsrError } from '@ng-ssr/core';
import { Dispatcher } from '../../../src/features/render-threads/dispatcher.ts';
import type { RenderJob } from '../../../src/render/render-job.ts';
import type { Renderer } from '../../../src/render/renderer.ts';
import { FakeSupervisor } from './fake-supervisor.ts';
import { asWorker, FakeThread } from './fake-thread.ts';

function jobOf(name: string): RenderJob {
  const request = new Request(`http://shop.example/${name}`);
  return { request, requestContext: undefined, isShared: true, name };
}

function dispatcherOf(...threads: FakeThread[]) {
  const supervisor = new FakeSupervisor(...threads);
  const errors: SsrError[] = [];
  const inProcess = { render: vi.fn<Renderer['render']>(() => Promise.resolve(undefined)) };
  const renderer = inProcess as unknown as Renderer;
  const dispatcher = new Dispatcher(supervisor, renderer, (error) => errors.push(error));
  /** The outcome of a render: `rendered`, or the code of its error. */
  const render = (name: string, signal = new AbortController().signal): Promise<string> =>
    dispatcher.render(jobOf(name), signal).then(
      () => 'rendered',
      ({ code }: SsrError) => code,
    );
  return { dispatcher, supervisor, errors, inProcess, render };
}

it('a render goes to the thread with the fewest renders', () => {
  const [one, two] = [new FakeThread(), new FakeThread()];
  const { render } = dispatcherOf(one, two);
  for (const name of ['a', 'b', 'c', 'd']) void render(name);
  expect([one.names, two.names]).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
});

it('a thread that is blocked, or silent for more than 200 ms, gets no renders', () => {
  const [blocked, silent, well] = [new FakeThread(), new FakeThread(), new FakeThread()];
  blocked.isBlocked = true;
  silent.silentMs = 201;
  const { render } = dispatcherOf(blocked, silent, well);
  for (const name of ['a', 'b']) void render(name);
  expect([blocked.names, silent.names, well.names]).toEqual([[], [], ['a', 'b']]);
});

it('a render waits until there is a thread', async () => {
  const { dispatcher, supervisor, render } = dispatcherOf();
  const page = render('page');
  expect(dispatcher.inFlight).toBe(1);
  const thread = new FakeThread();
  supervisor.fakes.push(thread);
  dispatcher.dispatch();
  thread.answer();
  expect(await page).toBe('rendered');
  expect(dispatcher.inFlight).toBe(0);
});

it('where no thread can start, the main thread renders all that wait', async () => {
  const { dispatcher, supervisor, inProcess, render } = dispatcherOf();
  const pages = [render('a'), render('b')];
  supervisor.isUnavailable = true;
  dispatcher.dispatch();
  expect(await Promise.all(pages)).toEqual(['rendered', 'rendered']);
  expect(inProcess.render.mock.calls.map(([{ name }]) => name)).toEqual(['a', 'b']);
});

it('the main thread does not render a page that may have ended a thread', async () => {
  const thread = new FakeThread();
  const { dispatcher, supervisor, errors, inProcess, render } = dispatcherOf(thread);
  const page = render('page');
  dispatcher.recover(supervisor.lose(thread));
  supervisor.isUnavailable = true;
  dispatcher.dispatch();
  expect(await page).toBe('NG_SSR_WORKER_LOST');
  expect(inProcess.render).not.toHaveBeenCalled();
  expect(errors.map(({ message }) => message)).toEqual([
    'a render thread ended while rendering page: it exited with code 7',
  ]);
});

it('a thread that ends while it renders nothing is reported, unless it was to end', () => {
  const [lost, asked] = [new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, errors } = dispatcherOf(lost, asked);
  dispatcher.recover({ ...supervisor.lose(asked), isRequested: true });
  dispatcher.recover(supervisor.lose(lost));
  expect(errors.map(({ message }) => message)).toEqual([
    'a render thread ended while rendering nothing: it exited with code 7',
  ]);
});

it('renders of a lost thread are retried one at a time, alone, and other renders go elsewhere', () => {
  const [lost, fresh, busy] = [new FakeThread(), new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, render } = dispatcherOf(lost);
  for (const name of ['a', 'b', 'c']) void render(name);
  dispatcher.recover(supervisor.lose(lost));
  busy.answered = 9;
  supervisor.fakes.push(busy, fresh);
  dispatcher.dispatch();
  const others = ['d', 'e', 'f'];
  for (const name of others) void render(name);
  expect([fresh.names, busy.names]).toEqual([['a'], others]);
  for (const next of ['b', 'c']) {
    fresh.answer();
    dispatcher.dispatch();
    expect(fresh.names).toEqual([next]);
  }
  fresh.answer();
  dispatcher.dispatch();
  void render('last');
  expect([fresh.names, busy.names]).toEqual([['last'], others]);
});

it('a retried render waits for a thread that is about to start rather than share one', () => {
  const [lost, busy] = [new FakeThread(), new FakeThread()];
  busy.answered = 9;
  const { dispatcher, supervisor, render } = dispatcherOf(lost, busy);
  void render('suspect');
  dispatcher.recover(supervisor.lose(lost));
  supervisor.hasVacancy = true;
  dispatcher.dispatch();
  expect(busy.names).toEqual([]);
  supervisor.hasVacancy = false;
  dispatcher.dispatch();
  expect(busy.names).toEqual(['suspect']);
});

it('a page that ends a second thread fails', async () => {
  const [one, two] = [new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, errors, render } = dispatcherOf(one);
  const page = render('page');
  dispatcher.recover(supervisor.lose(one));
  supervisor.fakes.push(two);
  dispatcher.dispatch();
  dispatcher.recover(supervisor.lose(two));
  expect(await page).toBe('NG_SSR_WORKER_LOST');
  expect(errors).toHaveLength(2);
});

it('when a quarantined thread is replaced, its successor has the next suspect', () => {
  const [lost, quarantined, successor] = [new FakeThread(), new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, render } = dispatcherOf(lost);
  for (const name of ['a', 'b']) void render(name);
  dispatcher.recover(supervisor.lose(lost));
  supervisor.fakes.push(quarantined);
  dispatcher.dispatch();
  expect(quarantined.names).toEqual(['a']);
  supervisor.fakes[0] = successor;
  dispatcher.dispatch();
  expect(successor.names).toEqual(['b']);
});

it('a retry that keeps its thread busy is isolated: the next suspect has another thread', () => {
  const [lost, stuck, other] = [new FakeThread(), new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, render } = dispatcherOf(lost);
  for (const name of ['a', 'b']) void render(name);
  dispatcher.recover(supervisor.lose(lost));
  supervisor.fakes.push(stuck, other);
  dispatcher.dispatch();
  dispatcher.isolate(asWorker(stuck), 'it does not respond');
  dispatcher.dispatch();
  expect([stuck.names, other.names]).toEqual([['a'], ['b']]);
  expect(supervisor.replaced).toEqual([[asWorker(stuck), 'it does not respond']]);
});

it('a render that times out is rejected, and its thread replaced', async () => {
  const thread = new FakeThread();
  const { supervisor, render } = dispatcherOf(thread);
  const controller = new AbortController();
  const page = render('slow', controller.signal);
  void render('other');
  controller.abort();
  expect(await page).toBe('NG_SSR_RENDER_TIMEOUT');
  expect(thread.names).toEqual(['other']);
  expect(thread.pings).toBe(1);
  expect(supervisor.replaced).toEqual([[asWorker(thread), 'slow timed out']]);
});

it('a queued render that times out costs no thread', async () => {
  const { dispatcher, supervisor, render } = dispatcherOf();
  const controller = new AbortController();
  const page = render('page', controller.signal);
  controller.abort();
  expect(await page).toBe('NG_SSR_RENDER_TIMEOUT');
  const thread = new FakeThread();
  supervisor.fakes.push(thread);
  dispatcher.dispatch();
  expect(thread.names).toEqual([]);
  expect(supervisor.replaced).toEqual([]);
});

it('what a blocked thread has not begun goes to others, if another can take it', () => {
  const [blocked, free] = [new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, render } = dispatcherOf(blocked);
  void render('page');
  blocked.isBlocked = true;
  dispatcher.withdrawBlocked();
  expect(blocked.names).toEqual(['page']);
  supervisor.fakes.push(free);
  dispatcher.withdrawBlocked();
  dispatcher.dispatch();
  expect([blocked.names, free.names]).toEqual([[], ['page']]);
});

it('a quarantined thread keeps its render, although it is blocked', () => {
  const [lost, quarantined, free] = [new FakeThread(), new FakeThread(), new FakeThread()];
  const { dispatcher, supervisor, render } = dispatcherOf(lost);
  void render('suspect');
  dispatcher.recover(supervisor.lose(lost));
  supervisor.fakes.push(quarantined, free);
  dispatcher.dispatch();
  quarantined.isBlocked = true;
  dispatcher.withdrawBlocked();
  expect(quarantined.names).toEqual(['suspect']);
});

it('close waits for renders that end within a second, and rejects those that have no thread', async () => {
  const thread = new FakeThread();
  const { dispatcher, render } = dispatcherOf(thread);
  const page = render('page');
  const closed = dispatcher.close();
  expect(await render('late')).toBe('NG_SSR_WORKER_LOST');
  thread.answer();
  expect(await page).toBe('rendered');
  await closed;
  const none = dispatcherOf();
  const queued = none.render('queued');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    void none.dispatcher.close();
    await vi.advanceTimersByTimeAsync(1000);
  } finally {
    vi.useRealTimers();
  }
  expect(await queued).toBe('NG_SSR_WORKER_LOST');
});
