import { expect, it, vi } from 'vitest';
import type { RenderTask } from '../../../src/features/render-threads/render-task.ts';
import { SentRenders } from '../../../src/features/render-threads/sent-renders.ts';
import { BEGUN, WITHDRAWN } from '../../../src/features/render-threads/shared-counters.ts';

function taskOf(name: string, isRetry = false): RenderTask {
  const request = new Request(`http://shop.example/${name}`);
  const job = { request, requestContext: undefined, isShared: true, name };
  return { job, resolve: () => {}, reject: () => {}, isRetry };
}

function sent(...tasks: RenderTask[]): SentRenders {
  const renders = new SentRenders();
  for (const task of tasks) renders.add(task);
  return renders;
}

it('ids count from 1, also after renders have ended', () => {
  const [first, second] = [taskOf('first'), taskOf('second')];
  const renders = new SentRenders();
  expect(renders.nextId).toBe(1);
  renders.add(first);
  expect(renders.take(1)).toBe(first);
  expect(renders.nextId).toBe(2);
  renders.add(second);
  expect(renders.take(2)).toBe(second);
  expect(renders.size).toBe(0);
});

it('a render is taken once', () => {
  const renders = sent(taskOf('page'));
  expect(renders.take(1)).toBeDefined();
  expect(renders.take(1)).toBeUndefined();
  expect(renders.take(7)).toBeUndefined();
});

it('a render that has timed out is not taken when its page comes after all', () => {
  const [slow, other] = [taskOf('slow'), taskOf('other')];
  const renders = sent(slow, other);
  renders.delete(slow);
  expect([renders.has(slow), renders.has(other)]).toEqual([false, true]);
  expect(renders.take(1)).toBeUndefined();
  expect(renders.take(2)).toBe(other);
});

it('renders that the thread has not begun are withdrawn, and the thread can see which', () => {
  const tasks = [taskOf('begun'), taskOf('next'), taskOf('last')];
  const renders = sent(...tasks);
  Atomics.store(renders.shared, BEGUN, 1);
  expect(renders.withdraw()).toEqual(tasks.slice(1));
  expect(Atomics.load(renders.shared, WITHDRAWN)).toBe(3);
  expect(renders.takeAll()).toEqual([tasks[0]]);
  // The next one is above the mark: the thread renders it.
  expect(renders.nextId).toBeGreaterThan(Atomics.load(renders.shared, WITHDRAWN));
});

it('renders on a thread are retries if all that it has begun are', () => {
  const renders = sent(taskOf('retry', true), taskOf('first try'));
  expect(renders.hasOnlyRetries).toBe(false);
  Atomics.store(renders.shared, BEGUN, 1);
  expect(renders.hasOnlyRetries).toBe(true);
  Atomics.store(renders.shared, BEGUN, 2);
  expect(renders.hasOnlyRetries).toBe(false);
});

it('a thread is blocked when a render has not begun for 200 ms', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const renders = sent(taskOf('endless'));
    Atomics.store(renders.shared, BEGUN, 1);
    vi.advanceTimersByTime(10_000);
    expect(renders.isBlocked).toBe(false);
    renders.add(taskOf('next'));
    vi.advanceTimersByTime(200);
    expect(renders.isBlocked).toBe(false);
    vi.advanceTimersByTime(1);
    expect(renders.isBlocked).toBe(true);
    Atomics.store(renders.shared, BEGUN, 2);
    expect(renders.isBlocked).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
