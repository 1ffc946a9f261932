import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RenderWorker } from '../../../src/features/render-threads/render-worker.ts';
import { Watchdog } from '../../../src/features/render-threads/watchdog.ts';
import { FakeSupervisor } from './fake-supervisor.ts';
import { asWorker, FakeThread } from './fake-thread.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(thread: FakeThread) {
  const isolated: [RenderWorker, string][] = [];
  const renders = {
    inFlight: 1,
    dispatch: vi.fn(),
    withdrawBlocked: vi.fn(),
    isolate: (worker: RenderWorker, reason: string) => void isolated.push([worker, reason]),
  };
  const onCheck = vi.fn();
  const watchdog = new Watchdog(new FakeSupervisor(thread), renders, onCheck);
  return { watchdog, renders, isolated, onCheck };
}

function loaded(isRetry = false): FakeThread {
  const thread = new FakeThread();
  const request = new Request('http://shop.example/');
  const job = { request, requestContext: undefined, isShared: true, name: 'GET /' };
  thread.render({ job, resolve: () => {}, reject: () => {}, isRetry });
  return thread;
}

it('threads with renders are pinged, and blocked ones give renders back', () => {
  const thread = loaded();
  const { watchdog, renders, onCheck } = watch(thread);
  watchdog.start();
  watchdog.start();
  vi.advanceTimersByTime(250);
  expect(thread.pings).toBe(1);
  expect(renders.withdrawBlocked).toHaveBeenCalledOnce();
  expect(renders.dispatch).toHaveBeenCalledOnce();
  expect(onCheck).toHaveBeenCalledOnce();
});

it.each([
  ['3 s', false, 2999, 3000],
  ['half a second if a render on it has timed out', true, 499, 500],
])('a thread is ended when it is silent for %s', (_time, hasTimedOut, beforeMs, afterMs) => {
  const thread = loaded();
  thread.hasTimedOut = hasTimedOut;
  watch(thread).watchdog.start();
  thread.silentMs = beforeMs;
  vi.advanceTimersByTime(250);
  expect(thread.ends).toBe(0);
  thread.silentMs = afterMs;
  vi.advanceTimersByTime(250);
  expect(thread.ends).toBe(1);
});

it('a silent thread that renders a retry alone is isolated, not ended', () => {
  const thread = loaded(true);
  const { watchdog, isolated } = watch(thread);
  watchdog.start();
  thread.silentMs = 3000;
  vi.advanceTimersByTime(250);
  expect(thread.ends).toBe(0);
  expect(isolated).toEqual([[asWorker(thread), 'it does not respond']]);
});

it('it runs while renders are in flight or a thread is silent, and can be started again', () => {
  const thread = loaded();
  const { watchdog, renders } = watch(thread);
  renders.inFlight = 0;
  watchdog.start();
  expect(vi.getTimerCount()).toBe(0);
  renders.inFlight = 1;
  watchdog.start();
  renders.inFlight = 0;
  thread.silentMs = 100;
  vi.advanceTimersByTime(250);
  expect(vi.getTimerCount()).toBe(1);
  thread.silentMs = 0;
  vi.advanceTimersByTime(250);
  expect(vi.getTimerCount()).toBe(0);
  renders.inFlight = 1;
  watchdog.start();
  expect(vi.getTimerCount()).toBe(1);
});
