import { getPriority, setPriority } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import type { RenderEngine } from '../../engine.ts';
import type { RenderThreadData } from '../../render-thread.ts';
import { renderInProcess } from '../../render/in-process.ts';
import { runOutsideRender } from '../../render/render-scope.ts';
import { toWireError } from '../../threads/wire-error.ts';
import { watchHeap } from './heap-watch.ts';
import { CallsInThread } from './calls-in-thread.ts';
import type { FromThread, RenderMessage, ToThread } from './messages.ts';
import { toRenderedMessage, toRenderJob } from './wire-render.ts';
import { BEGUN, WITHDRAWN } from './shared-counters.ts';

/** Never aborts: a render that times out ends with its thread. */
const { signal } = new AbortController();

/** Makes this a render thread: it renders what the main thread's handler sends, with this engine. */
export function answerRenders(engine: RenderEngine, thread: RenderThreadData): void {
  const { port, setup, entry, shared, fullAtBytes, niceness } = thread;
  if (niceness !== undefined) lowerPriority(niceness);
  const post = (
    message: FromThread,
    transfer: readonly (ArrayBuffer | ReadableStream)[] = [],
  ): void => {
    port.postMessage(message, transfer as Transferable[]);
  };
  const calls = new CallsInThread(post);
  let isSetUp = false;
  const setUp = (): RenderEngine => {
    if (!isSetUp) runOutsideRender(() => engine.setup?.(setup));
    isSetUp = true;
    return engine;
  };
  const renderer = renderInProcess({
    host: { engine: setUp },
    failOnError: engine.failOnError === true,
    onError: (error) => post({ kind: 'unhandled', error: toWireError(error) }),
  });

  const answer = async (message: RenderMessage): Promise<void> => {
    const { id } = message;
    const ofRender = message.calls && calls.of(id, message.calls.baseUrl);
    try {
      const job = { ...toRenderJob(message), calls: ofRender };
      const rendered = await renderer.render(job, signal);
      if (rendered === undefined) return post({ kind: 'declined', id });
      const page = toRenderedMessage(id, rendered);
      post(page, [page.body]);
    } catch (error) {
      post({ kind: 'failed', id, error: toWireError(error) });
    } finally {
      if (ofRender !== undefined) ofRender.isOver = true;
    }
  };

  // The listener also keeps the thread alive.
  port.on('message', (message: ToThread) => {
    if (message.kind === 'ping') return post({ kind: 'pong' });
    if (message.kind !== 'render') return calls.settle(message);
    Atomics.store(shared, BEGUN, message.id);
    if (message.id > Atomics.load(shared, WITHDRAWN)) void answer(message);
  });
  watchHeap(fullAtBytes, () => post({ kind: 'full' }));
  const begin = async (): Promise<void> => {
    try {
      await setUp().load?.();
    } catch {
      // The first render fails with the error.
    }
    post({ kind: 'ready' });
  };
  // Pages may need what the program does after it has created the handler. When the program fails, its own
  // import ends the thread.
  void import(/* @vite-ignore */ entry).then(begin, () => {});
}

/** A process with a higher niceness keeps it: lowering it may not be permitted. */
function lowerPriority(niceness: number): void {
  // Outside Linux it would apply to the whole process.
  if (process.platform !== 'linux') return;
  try {
    if (getPriority() < niceness) setPriority(niceness);
  } catch {
    // A sandbox may forbid it; the thread renders without it.
  }
}
