import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Entry } from '../../../src/threads/entry.ts';
import type { WorkerListener } from '../../../src/features/render-threads/render-worker.ts';
import { Supervisor } from '../../../src/features/render-threads/supervisor.ts';
import { asWorker, FakeThread } from './fake-thread.ts';

/** A thread whose events a spec makes. */
class StartedThread extends FakeThread {
  hasPaidOff = true;
  readonly published: string[] = [];
  readonly #listener: WorkerListener;

  constructor(_entry: Entry, _options: object, listener: WorkerListener) {
    super();
    this.#listener = listener;
    started.push(this);
  }

  publish(event: string, reason: string): void {
    this.published.push(`${event}: ${reason}`);
  }

  ready(): void {
    this.#listener.onReady(asWorker(this));
  }

  full(): void {
    this.#listener.onFull(asWorker(this));
  }

  /** Renders as many pages. */
  serve(pages: number): void {
    for (let page = 0; page < pages; page++) {
      this.answered++;
      this.#listener.onAnswer(asWorker(this));
    }
  }

  exit(hasNoHandler = false): void {
    const rest = { begun: [], unbegun: [], isRequested: false, hasNoHandler };
    this.#listener.onEnd(asWorker(this), { reason: 'code 7', cause: undefined, ...rest });
  }
}

const started: StartedThread[] = [];

vi.mock('../../../src/features/render-threads/render-worker.ts', () => ({
  RenderWorker: function RenderWorker(...args: ConstructorParameters<typeof StartedThread>) {
    return new StartedThread(...args);
  },
}));
vi.mock('../../../src/features/render-threads/find-entry.ts', () => ({
  findEntry: () => ({ url: new URL('file:///server.mjs'), stamp: '' }),
}));
vi.mock('../../../src/threads/entry.ts', () => ({ assertUnchanged: () => {} }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  started.length = 0;
});

function supervise(workers: number) {
  const errors: string[] = [];
  const listener = {
    onChange: vi.fn(),
    onEnd: vi.fn(),
    onError: ({ message }: Error) => void errors.push(message),
  };
  const setup = () => ({}) as never;
  const options = {
    threads: workers,
    handler: 0,
    maxHeapBytes: 64 * 2 ** 20,
    niceness: undefined,
    recycleAfter: 10,
    setup,
  };
  const supervisor = new Supervisor(options, listener);
  supervisor.start();
  return { supervisor, listener, errors };
}

it('threads start once, and serve when they are ready', async () => {
  const { supervisor, listener } = supervise(2);
  supervisor.start();
  expect(started).toHaveLength(2);
  expect(supervisor.serving).toEqual([]);
  expect(supervisor.hasVacancy).toBe(true);
  for (const thread of started) thread.ready();
  await supervisor.ready;
  expect(supervisor.serving).toEqual(started);
  expect(supervisor.hasVacancy).toBe(false);
  expect(listener.onChange).toHaveBeenCalledTimes(2);
});

it('a thread goes on until its successor is ready, and then until its renders have ended', () => {
  const { supervisor } = supervise(1);
  const [first] = started as [StartedThread];
  first.ready();
  first.render({} as never);
  first.serve(10);
  expect(first.published).toEqual(['recycle: 10 renders']);
  expect(supervisor.serving).toEqual([first]);
  started[1]!.ready();
  expect(supervisor.serving).toEqual([started[1]]);
  expect(supervisor.threads).toContain(first);
  expect(first.ends).toBe(0);
  first.tasks.length = 0;
  first.serve(1);
  expect(first.ends).toBe(1);
});

it('threads are replaced one at a time', () => {
  const { supervisor } = supervise(2);
  for (const thread of started) thread.ready();
  for (const thread of supervisor.serving) supervisor.replace(thread, 'old');
  expect(started).toHaveLength(3);
  started[2]!.ready();
  expect(started).toHaveLength(4);
  started[3]!.ready();
  expect(supervisor.serving).toEqual(started.slice(2));
  expect(started.map(({ ends }) => ends)).toEqual([1, 1, 0, 0]);
});

it('a full heap replaces a thread only if it has served long enough', () => {
  supervise(1);
  const [thread] = started as [StartedThread];
  thread.ready();
  thread.hasPaidOff = false;
  thread.full();
  expect(started).toHaveLength(1);
  thread.hasPaidOff = true;
  thread.full();
  thread.full();
  expect(started).toHaveLength(2);
  expect(thread.published).toEqual(['recycle: its heap is nearly full']);
});

it('a thread that has rendered is started again at once, others after 100, 200, 400 ms', () => {
  const { listener } = supervise(1);
  started[0]!.ready();
  started[0]!.serve(1);
  started[0]!.exit();
  expect(listener.onEnd).toHaveBeenCalledOnce();
  expect(started).toHaveLength(2);
  for (const waitMs of [100, 200, 400]) {
    const thread = started.at(-1)!;
    thread.ready();
    thread.exit();
    vi.advanceTimersByTime(waitMs - 1);
    expect(started.at(-1)).toBe(thread);
    vi.advanceTimersByTime(1);
    expect(started.at(-1)).not.toBe(thread);
  }
});

it('when three starts fail after a thread has served, none can render until one starts', () => {
  const { supervisor, errors } = supervise(1);
  started[0]!.ready();
  started[0]!.serve(1);
  started[0]!.exit();
  for (let failed = 0; failed < 3; failed++) {
    expect(supervisor.isUnavailable).toBe(false);
    started.at(-1)!.exit();
    vi.advanceTimersByTime(1000);
  }
  expect(supervisor.isUnavailable).toBe(true);
  expect(errors).toEqual([expect.stringMatching(/: code 7$/)]);
  started.at(-1)!.ready();
  expect(supervisor.isUnavailable).toBe(false);
  // Failed starts are counted from the last one that succeeded.
  started.at(-1)!.exit();
  expect(supervisor.serving).toEqual([]);
  expect(supervisor.isUnavailable).toBe(false);
});

it('a program without a handler is started in no further thread', async () => {
  const { supervisor, listener, errors } = supervise(2);
  started[0]!.exit(true);
  await supervisor.ready;
  expect(supervisor.isUnavailable).toBe(true);
  expect(started[1]!.ends).toBe(1);
  expect(listener.onChange).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  expect(started).toHaveLength(2);
  expect(errors).toEqual([expect.stringMatching(/: code 7; .*on the main thread$/)]);
});

it('a thread is added, and serves beside the others once it is ready', () => {
  const { supervisor, listener } = supervise(1);
  started[0]!.ready();
  expect(supervisor.isStarting).toBe(false);
  supervisor.grow('work');
  expect(started[1]!.published).toEqual(['grow: work']);
  expect(supervisor.size).toBe(2);
  expect(supervisor.isStarting).toBe(true);
  expect(supervisor.serving).toEqual([started[0]]);
  listener.onChange.mockClear();
  started[1]!.ready();
  expect(listener.onChange).toHaveBeenCalledOnce();
  expect(supervisor.serving).toEqual(started);
  expect(supervisor.isStarting).toBe(false);
});

it('an added thread is replaced and restarted like the others', () => {
  const { supervisor } = supervise(1);
  started[0]!.ready();
  supervisor.grow('work');
  started[1]!.ready();
  started[1]!.serve(10);
  started[2]!.ready();
  expect(supervisor.serving).toEqual([started[0], started[2]]);
  started[2]!.serve(1);
  started[2]!.exit();
  expect(started).toHaveLength(4);
  expect(supervisor.size).toBe(2);
});

it('added threads that do not start are given up, and the others go on', () => {
  const { supervisor, listener, errors } = supervise(1);
  started[0]!.ready();
  for (let failed = 1; failed < 5; failed++) {
    supervisor.grow('work');
    listener.onChange.mockClear();
    started[failed]!.exit(true);
    expect(listener.onChange).toHaveBeenCalledOnce();
    expect(supervisor.size).toBe(1);
    expect(supervisor.hasVacancy).toBe(false);
  }
  vi.advanceTimersByTime(60_000);
  expect(started).toHaveLength(5);
  expect(errors).toEqual([expect.stringMatching(/: code 7$/)]);
  // They do not count as failed starts of the thread that serves.
  started[0]!.exit();
  expect(supervisor.isUnavailable).toBe(false);
  vi.advanceTimersByTime(100);
  started[5]!.ready();
  expect(supervisor.serving).toEqual([started[5]]);
});

it('once a thread could be added, the next that does not start is reported', () => {
  const { supervisor, errors } = supervise(1);
  started[0]!.ready();
  supervisor.grow('work');
  started[1]!.exit();
  supervisor.grow('work');
  started[2]!.ready();
  supervisor.grow('work');
  started[3]!.exit();
  expect(errors).toHaveLength(2);
});

it('the last threads have no successors, and end when their renders have ended', () => {
  const { supervisor, listener } = supervise(3);
  for (const thread of started) thread.ready();
  const [first, busy, idle] = started as [StartedThread, StartedThread, StartedThread];
  busy.render({} as never);
  supervisor.shrink(2, 'no work');
  expect(started.map(({ published }) => published)).toEqual([
    [],
    ['shrink: no work'],
    ['shrink: no work'],
  ]);
  expect(supervisor.serving).toEqual([first]);
  expect([first.ends, busy.ends, idle.ends]).toEqual([0, 0, 1]);
  idle.exit();
  expect(supervisor.threads).toEqual([first, busy]);
  busy.tasks.length = 0;
  // However many it has rendered.
  busy.answered = 10;
  busy.serve(1);
  expect(busy.ends).toBe(1);
  busy.exit();
  expect(listener.onEnd).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(60_000);
  expect(started).toHaveLength(3);
  expect(supervisor.size).toBe(1);
});

it('a thread that is to be replaced, but whose successors do not start, may end without one', () => {
  const { supervisor } = supervise(2);
  for (const thread of started) thread.ready();
  supervisor.replace(asWorker(started[1]!), 'old');
  started[2]!.exit();
  supervisor.shrink(1, 'no work');
  vi.advanceTimersByTime(60_000);
  expect(started).toHaveLength(3);
  expect(supervisor.serving).toEqual([started[0]]);
});

it('once stopped it starts no thread, and ends all', async () => {
  const { supervisor, listener } = supervise(2);
  started[0]!.ready();
  started[0]!.serve(1);
  supervisor.stop();
  await supervisor.ready;
  listener.onChange.mockClear();
  started[0]!.exit();
  expect(listener.onEnd).toHaveBeenCalledOnce();
  expect(listener.onChange).not.toHaveBeenCalled();
  expect(started).toHaveLength(2);
  await supervisor.endAll();
  expect(started[1]!.ends).toBe(1);
});

it('a thread that ends once no more are started is none of the threads any more', () => {
  const { supervisor, listener } = supervise(2);
  started[0]!.ready();
  started[1]!.ready();
  supervisor.stop();
  for (const thread of started) thread.exit();
  expect(listener.onEnd).toHaveBeenCalledTimes(2);
  // The watchdog goes on, and keeps the process alive, while one of them owes it an answer.
  expect(supervisor.threads).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(started).toHaveLength(2);
});
