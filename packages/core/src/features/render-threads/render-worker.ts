import { fileURLToPath } from 'node:url';
import { receiveMessageOnPort } from 'node:worker_threads';
import { SsrError } from '../../errors.ts';
import { channelOf, type WorkerEvent } from '../../telemetry/channels.ts';
import { timesOf } from '../../render/thread-times.ts';
import type { ThreadTimes } from '../../render/utilisation.ts';
import type { Entry } from '../../threads/entry.ts';
import { toSsrError } from '../../threads/wire-error.ts';
import { CallsOfThread } from './calls-of-thread.ts';
import type { FromThread } from './messages.ts';
import { toRendered, toRenderMessage } from './wire-render.ts';
import type { RenderTask } from './render-task.ts';
import { SentRenders } from './sent-renders.ts';
import { startThread, type Thread, type ThreadOptions } from './start-thread.ts';

/** How a thread has ended. */
export interface Ending {
  readonly reason: string;
  /** The uncaught error, if there was one. */
  readonly cause: unknown;
  /** Renders that it had begun. */
  readonly begun: readonly RenderTask[];
  /** Renders that it had not begun. */
  readonly unbegun: readonly RenderTask[];
  /** Whether {@link RenderWorker.end} was called. */
  readonly isRequested: boolean;
  /**
   * Whether the program has run to its end, or for {@link START_TIMEOUT_MS}, without creating its handler.
   */
  readonly hasNoHandler: boolean;
}

/** Callbacks for a worker's events. */
export interface WorkerListener {
  /** The thread can render. */
  onReady(worker: RenderWorker): void;
  /** A render has ended. */
  onAnswer(worker: RenderWorker): void;
  /** Its heap was nearly full after a full garbage collection. */
  onFull(worker: RenderWorker): void;
  /** A render has left an error unhandled. */
  onUnhandled(error: SsrError): void;
  onEnd(worker: RenderWorker, ending: Ending): void;
}

const START_TIMEOUT_MS = 30_000;
const NO_HANDLER = 'has not loaded and created its server';
/** A thread must serve this many times its start-up time before a full heap replaces it. */
const PAYS_OFF_AFTER = 10;

/** A render thread, as the main thread sees it. */
export class RenderWorker {
  readonly threadId: number;
  readonly #thread: Thread;
  readonly #renders = new SentRenders();
  readonly #calls: CallsOfThread;
  readonly #listener: WorkerListener;
  readonly #startTimer: NodeJS.Timeout;
  readonly #ended: Promise<void>;
  #answered = 0;
  readonly #startedAtMs = performance.now();
  #readyAtMs: number | undefined;
  #pingedAtMs: number | undefined;
  #hasTimedOut = false;
  #isEndRequested = false;
  #hasNoHandler = false;
  #reason: string | undefined;
  #cause: unknown;

  constructor(entry: Entry, options: ThreadOptions, listener: WorkerListener) {
    this.#listener = listener;
    this.#thread = startThread(entry, options, this.#renders.shared);
    const { worker, port } = this.#thread;
    this.#calls = new CallsOfThread((message) => port.postMessage(message));
    port.on('message', (message: FromThread) => this.#onMessage(message));
    worker.on('error', (error) => (this.#cause = error));
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code) => {
        if (this.#readyAtMs === undefined && this.#cause === undefined && code === 0) {
          this.#reason = `${toPath(entry)} ${NO_HANDLER}`;
          this.#hasNoHandler = true;
        }
        this.#onExit(code, options.maxHeapBytes);
        resolve();
      });
    });
    // The pool's timer keeps the process alive while renders are in flight; threads alone must not.
    port.unref();
    worker.unref();
    this.#startTimer = setTimeout(() => {
      this.#reason = `${toPath(entry)} ${NO_HANDLER} in ${START_TIMEOUT_MS / 1000} s`;
      this.#hasNoHandler = true;
      void worker.terminate();
    }, START_TIMEOUT_MS).unref();
    this.threadId = worker.threadId;
    this.publish('start');
  }

  /** Renders that were sent to it and have not ended. */
  get load(): number {
    return this.#renders.size;
  }

  /** Its active and idle time since its start. */
  get times(): ThreadTimes {
    return timesOf(this.#thread.worker);
  }

  /** Whether it has started. */
  get isReady(): boolean {
    return this.#readyAtMs !== undefined;
  }

  /** Renders that it has answered. */
  get answered(): number {
    return this.#answered;
  }

  /** Whether it has served long enough for a full heap to replace it. */
  get hasPaidOff(): boolean {
    if (this.#readyAtMs === undefined) return false;
    const startMs = this.#readyAtMs - this.#startedAtMs;
    return performance.now() - this.#readyAtMs >= PAYS_OFF_AFTER * startMs;
  }

  /** Whether a render on it has timed out: it may still work on that render in vain. */
  get hasTimedOut(): boolean {
    return this.#hasTimedOut;
  }

  /** How long a {@link ping} has been unanswered. */
  get silentMs(): number {
    return this.#pingedAtMs === undefined ? 0 : performance.now() - this.#pingedAtMs;
  }

  /** Whether all renders that it has begun are retries. */
  get hasOnlyRetries(): boolean {
    return this.#renders.hasOnlyRetries;
  }

  /** Whether a sent render has not begun for too long: the thread may be in a loop. */
  get isBlocked(): boolean {
    return this.#renders.isBlocked;
  }

  has(task: RenderTask): boolean {
    return this.#renders.has(task);
  }

  /** @throws SsrError `NG_SSR_CONTEXT_NOT_CLONEABLE` */
  render(task: RenderTask): void {
    const message = toRenderMessage(this.#renders.nextId, task.job);
    try {
      this.#thread.port.postMessage(message);
    } catch (cause) {
      throw new SsrError(
        'NG_SSR_CONTEXT_NOT_CLONEABLE',
        `${task.job.name} failed: its requestContext cannot be cloned for a render thread; allowed with ` +
          'withRenderThreads(): plain data that structuredClone() accepts, without functions and objects of the ' +
          'framework',
        { cause },
      );
    }
    this.#renders.add(task);
  }

  /** Drops a render that has timed out. */
  expire(task: RenderTask): void {
    this.#renders.delete(task);
    this.#hasTimedOut = true;
  }

  /** Withdraws the renders that the thread has not begun. */
  withdraw(): RenderTask[] {
    return this.#renders.withdraw();
  }

  /** Asks for a sign that the thread reads its messages. */
  ping(): void {
    if (this.#pingedAtMs !== undefined) return;
    this.#pingedAtMs = performance.now();
    this.#thread.port.postMessage({ kind: 'ping' });
  }

  /** Reads the messages that have arrived, without waiting for the event loop. */
  readMessages(): void {
    for (let next; (next = receiveMessageOnPort(this.#thread.port)) !== undefined;) {
      this.#onMessage(next.message as FromThread);
    }
  }

  /** Ends the thread, whatever it is doing. Resolves when it has exited. */
  end(): Promise<void> {
    this.#isEndRequested = true;
    this.#thread.worker.ref();
    void this.#thread.worker.terminate();
    return this.#ended;
  }

  /** Publishes an event of this thread. */
  publish(event: WorkerEvent['event'], reason?: string): void {
    if (events.hasSubscribers) events.publish({ event, threadId: this.threadId, reason });
  }

  #onMessage(message: FromThread): void {
    this.#pingedAtMs = undefined;
    switch (message.kind) {
      case 'ready':
        this.#readyAtMs = performance.now();
        clearTimeout(this.#startTimer);
        this.publish('ready');
        return this.#listener.onReady(this);
      case 'pong':
        return;
      case 'unhandled':
        return this.#listener.onUnhandled(toSsrError(message.error));
      case 'full':
        return this.#listener.onFull(this);
      case 'call':
        return this.#calls.make(message, this.#renders.get(message.render)?.job.calls);
      case 'call-aborted':
        return this.#calls.abort(message.call);
      default:
        return this.#settle(message);
    }
  }

  #settle(message: Extract<FromThread, { id: number }>): void {
    const task = this.#renders.take(message.id);
    if (task === undefined) return;
    this.#answered++;
    switch (message.kind) {
      case 'rendered':
        try {
          task.resolve(toRendered(message));
        } catch (cause) {
          task.reject(new SsrError('NG_SSR_RENDER_FAILED', `${task.job.name} failed`, { cause }));
        }
        break;
      case 'declined':
        task.resolve(undefined);
        break;
      case 'failed':
        task.reject(toSsrError(message.error));
    }
    this.#listener.onAnswer(this);
  }

  #onExit(code: number, maxHeapBytes: number): void {
    clearTimeout(this.#startTimer);
    // Messages that it sent before its end still count.
    this.readMessages();
    this.#thread.port.close();
    this.#calls.abortAll();
    const unbegun = this.#renders.withdraw();
    const begun = this.#renders.takeAll();
    const isRequested = this.#isEndRequested;
    this.#reason ??= toReason(code, this.#cause, maxHeapBytes);
    this.publish(isRequested ? 'end' : 'lost', isRequested ? undefined : this.#reason);
    this.#listener.onEnd(this, {
      reason: this.#reason,
      cause: this.#cause,
      begun,
      unbegun,
      isRequested,
      hasNoHandler: this.#hasNoHandler,
    });
  }
}

const events = channelOf('ng-ssr:worker');

function toPath({ url }: Entry): string {
  return fileURLToPath(url);
}

function toReason(code: number, cause: unknown, maxHeapBytes: number): string {
  if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `its heap outgrew ${Math.round(maxHeapBytes / 2 ** 20)} MiB (withRenderThreads.maxHeapBytes)`;
  }
  if (cause === undefined) return `it exited with code ${code}`;
  const [firstLine] = String(cause).split('\n', 1);
  return `uncaught ${firstLine}`;
}
