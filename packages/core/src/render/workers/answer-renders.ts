import { getPriority, setPriority } from 'node:os';
import type { RenderEngine } from '../../engine.ts';
import { renderInProcess } from '../in-process.ts';
import type { Rendered } from '../render-whole.ts';
import { guard } from '../guarded-request.ts';
import { watchHeap } from './heap-watch.ts';
import type { FromThread, RenderMessage, ToThread } from './messages.ts';
import { toPlainError } from './plain-error.ts';
import { BEGUN, WITHDRAWN, type WorkerData } from './worker-data.ts';

/**
 * With more threads than cores, the main thread, which answers hits, comes first: it needs little time, and a
 * render takes long anyway.
 */
const NICENESS = 5;

/** Never aborts: a render that times out ends with its thread. */
const { signal } = new AbortController();

/** Makes this a render thread: it renders what the main thread's handler sends, with this engine. */
export function answerRenders(engine: RenderEngine, thread: WorkerData): void {
  const { port, setup, entry, shared, fullAtBytes } = thread;
  beNice();
  const tell = (message: FromThread, transfer: ArrayBuffer[] = []): void => {
    port.postMessage(message, transfer);
  };
  let isSetUp = false;
  const renderer = renderInProcess({
    engine: () => {
      if (!isSetUp) engine.setup?.(setup);
      isSetUp = true;
      return engine;
    },
    failOnError: engine.failOnError,
    onError: (error) => tell({ kind: 'stray', error: toPlainError(error) }),
  });

  const answer = async (message: RenderMessage): Promise<void> => {
    const { id } = message;
    try {
      const { name, requestContext } = message;
      // No async context of a request reaches a thread, but a context that one render enters must not stay
      // for the next.
      const job = { request: toRequest(message), requestContext, isShared: true, name };
      const rendered = await renderer.render(job, signal);
      if (rendered === undefined) tell({ kind: 'declined', id });
      else tellPage(id, rendered);
    } catch (error) {
      tell({ kind: 'failed', id, error: toPlainError(error) });
    }
  };

  const tellPage = (id: number, { response, body, hasErrors = false }: Rendered): void => {
    const { status } = response;
    const headers = toList(response.headers);
    const bytes = body.buffer as ArrayBuffer;
    tell({ kind: 'rendered', id, status, headers, body: bytes, hasErrors }, [bytes]);
  };

  // The listener also keeps the thread alive.
  port.on('message', (message: ToThread) => {
    if (message.kind === 'ping') return tell({ kind: 'pong' });
    Atomics.store(shared, BEGUN, message.id);
    if (message.id > Atomics.load(shared, WITHDRAWN)) void answer(message);
  });
  watchHeap(fullAtBytes, () => tell({ kind: 'full' }));
  // Pages may need what the program does after it has created the handler. When the program fails, its own
  // import ends the thread.
  void import(/* @vite-ignore */ entry).then(
    () => tell({ kind: 'ready' }),
    () => {},
  );
}

/** A process with a higher niceness keeps it: lowering it may not be permitted. */
function beNice(): void {
  // Outside Linux it would apply to the whole process.
  if (process.platform !== 'linux') return;
  try {
    if (getPriority() < NICENESS) setPriority(NICENESS);
  } catch {
    // A sandbox may forbid it; the thread renders without it.
  }
}

function toRequest({ url, headers: list, refused }: RenderMessage): Request {
  const headers = new Headers();
  for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!);
  const request = new Request(url, { headers });
  return refused.length > 0 ? guard(request, refused) : request;
}

function toList(headers: Headers): string[] {
  const list: string[] = [];
  for (const [name, value] of headers) list.push(name, value);
  return list;
}
