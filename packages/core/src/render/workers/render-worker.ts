import { fileURLToPath } from 'node:url';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import type { EngineSetup } from '../../engine.ts';
import { SsrError } from '../../errors.ts';
import { channelOf, type WorkerEvent } from '../../telemetry/channels.ts';
import type { Rendered } from '../render-whole.ts';
import type { RenderJob } from '../render-job.ts';
import { type ThreadTimes, timesOf } from '../thread-times.ts';
import { refusedFields } from '../guarded-request.ts';
import type { Entry } from './entry.ts';
import type { FromThread, RenderMessage } from './messages.ts';
import { toSsrError } from './plain-error.ts';
import { toThreadProgram } from './thread-program.ts';
import { BEGUN, toWorkerData, WITHDRAWN } from './worker-data.ts';

/** A render, and the callbacks that settle it. */
export interface Task {
  readonly job: RenderJob;
  readonly resolve: (rendered: Rendered | undefined) => void;
  readonly reject: (error: SsrError) => void;
  /** Whether a thread was lost during an earlier try. */
  isSecondTry: boolean;
}

/** How a thread has ended. */
export interface Ending {
  readonly reason: string;
  /** The uncaught error, if there was one. */
  readonly cause: unknown;
  /** Renders that it had begun. */
  readonly begun: readonly Task[];
  /** Renders that it had not begun. */
  readonly unbegun: readonly Task[];
  /** Whether {@link RenderWorker.end} was called. */
  readonly isAsked: boolean;
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
  onStray(error: SsrError): void;
  onEnd(worker: RenderWorker, ending: Ending): void;
}

/** Options of render threads. */
export interface WorkerOptions {
  readonly handler: number;
  readonly setup: EngineSetup;
  readonly maxHeapMb: number;
}

/**
 * Twice V8's default: a render allocates much that lives until it ends, and what survives a collection of the
 * young generation is copied.
 */
const MOST_YOUNG_MB = 96;
const START_TIMEOUT_MS = 30_000;
const NO_HANDLER = 'has not loaded and created its server';
/** A thread that has not begun a render for this long is busy without a pause. */
const BLOCKED_AFTER_MS = 200;
/** A heap is full when this share of its limit is in use after a garbage collection. */
const FULL_AT = 0.75;
const BYTES_PER_MIB = 1024 * 1024;
/** A thread must serve this many times its start-up time before a full heap replaces it. */
const PAYS_OFF_AFTER = 10;

/** A render thread, as the main thread sees it. */
export class RenderWorker {
  readonly threadId: number;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #shared = new Int32Array(new SharedArrayBuffer(8));
  readonly #listener: WorkerListener;
  readonly #startTimer: NodeJS.Timeout;
  readonly #ended: Promise<void>;
  /** By id, in the order they were sent; ids count from 1. */
  readonly #tasks = new Map<number, { readonly task: Task; readonly sentAtMs: number }>();
  #sent = 0;
  #answered = 0;
  readonly #startedAtMs = performance.now();
  #readyAtMs: number | undefined;
  #pingedAtMs: number | undefined;
  #hasGivenUp = false;
  #isAsked = false;
  #hasNoHandler = false;
  #reason: string | undefined;
  #cause: unknown;

  constructor(entry: Entry, options: WorkerOptions, listener: WorkerListener) {
    const { handler, setup, maxHeapMb } = options;
    const { port1, port2 } = new MessageChannel();
    this.#listener = listener;
    this.#worker = new Worker(toThreadProgram(entry, process.argv.slice(2)), {
      name: 'ng-ssr-render',
      workerData: toWorkerData({
        handler,
        entry: entry.url.href,
        setup,
        fullAtBytes: maxHeapMb * BYTES_PER_MIB * FULL_AT,
        port: port2,
        shared: this.#shared,
      }),
      transferList: [port2],
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb,
        maxYoungGenerationSizeMb: Math.min(MOST_YOUNG_MB, maxHeapMb),
      },
    });
    this.#port = port1;
    this.#port.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => (this.#cause = error));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        if (this.#readyAtMs === undefined && this.#cause === undefined && code === 0) {
          this.#reason = `${toPath(entry)} ${NO_HANDLER}`;
          this.#hasNoHandler = true;
        }
        this.#leave(code, maxHeapMb);
        resolve();
      });
    });
    // The pool's timer keeps the process alive while renders are under way; threads alone must not.
    this.#port.unref();
    this.#worker.unref();
    this.#startTimer = setTimeout(() => {
      this.#reason = `${toPath(entry)} ${NO_HANDLER} in ${START_TIMEOUT_MS / 1000} s`;
      this.#hasNoHandler = true;
      void this.#worker.terminate();
    }, START_TIMEOUT_MS).unref();
    this.threadId = this.#worker.threadId;
    this.tell('start');
  }

  /** Renders that were sent to it and have not ended. */
  get load(): number {
    return this.#tasks.size;
  }

  /** Its active and idle time since its start. */
  get times(): ThreadTimes {
    return timesOf(this.#worker);
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
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** How long a {@link ping} has been unanswered. */
  get silentMs(): number {
    return this.#pingedAtMs === undefined ? 0 : performance.now() - this.#pingedAtMs;
  }

  /** Whether all renders that it has begun are retries. */
  get hasOnlySecondTries(): boolean {
    const begun = [...this.#tasks].filter(([id]) => id <= this.#begun);
    return begun.length > 0 && begun.every(([, { task }]) => task.isSecondTry);
  }

  /** Whether a sent render has not begun for too long: the thread may be in a loop. */
  get isBlocked(): boolean {
    const begun = this.#begun;
    if (begun === this.#sent) return false;
    for (const [id, { sentAtMs }] of this.#tasks) {
      if (id > begun) return performance.now() - sentAtMs > BLOCKED_AFTER_MS;
    }
    return false;
  }

  has(task: Task): boolean {
    for (const sent of this.#tasks.values()) if (sent.task === task) return true;
    return false;
  }

  /** @throws SsrError `NG_SSR_CONTEXT_NOT_CLONEABLE` */
  render(task: Task): void {
    const message = toMessage(this.#sent + 1, task.job);
    try {
      this.#port.postMessage(message);
    } catch (cause) {
      throw new SsrError(
        'NG_SSR_CONTEXT_NOT_CLONEABLE',
        `${task.job.name} failed: its requestContext cannot be given to a render thread; with ` +
          'render.workers, allowed is what structuredClone() takes: plain data, without functions ' +
          "and without the framework's own objects",
        { cause },
      );
    }
    this.#tasks.set(++this.#sent, { task, sentAtMs: performance.now() });
  }

  /** Drops a render that has timed out. */
  giveUp(task: Task): void {
    for (const [id, sent] of this.#tasks) if (sent.task === task) this.#tasks.delete(id);
    this.#hasGivenUp = true;
  }

  /** Withdraws the renders that the thread has not begun. */
  takeUnbegun(): Task[] {
    const begun = this.#begun;
    Atomics.store(this.#shared, WITHDRAWN, this.#sent);
    const unbegun = [...this.#tasks].filter(([id]) => id > begun);
    for (const [id] of unbegun) this.#tasks.delete(id);
    return unbegun.map(([, { task }]) => task);
  }

  /** Asks for a sign that the thread reads its messages. */
  ping(): void {
    if (this.#pingedAtMs !== undefined) return;
    this.#pingedAtMs = performance.now();
    this.#port.postMessage({ kind: 'ping' });
  }

  /** Reads the messages that have arrived, without waiting for the event loop. */
  readMessages(): void {
    for (let next; (next = receiveMessageOnPort(this.#port)) !== undefined;) {
      this.#hear(next.message as FromThread);
    }
  }

  /** Ends the thread, whatever it is doing. Resolves when it has exited. */
  end(): Promise<void> {
    this.#isAsked = true;
    this.#worker.ref();
    void this.#worker.terminate();
    return this.#ended;
  }

  /** Publishes an event of this thread. */
  tell(event: WorkerEvent['event'], reason?: string): void {
    if (events.hasSubscribers) events.publish({ event, threadId: this.threadId, reason });
  }

  get #begun(): number {
    return Atomics.load(this.#shared, BEGUN);
  }

  #hear(message: FromThread): void {
    this.#pingedAtMs = undefined;
    switch (message.kind) {
      case 'ready':
        this.#readyAtMs = performance.now();
        clearTimeout(this.#startTimer);
        this.tell('ready');
        return this.#listener.onReady(this);
      case 'pong':
        return;
      case 'stray':
        return this.#listener.onStray(toSsrError(message.error));
      case 'full':
        return this.#listener.onFull(this);
      default:
        return this.#settle(message);
    }
  }

  #settle(message: Extract<FromThread, { id: number }>): void {
    const { id } = message;
    const task = this.#tasks.get(id)?.task;
    // The render has timed out, or was withdrawn.
    if (task === undefined) return;
    this.#tasks.delete(id);
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

  #leave(code: number, maxHeapMb: number): void {
    clearTimeout(this.#startTimer);
    // Messages that it sent before its end still count.
    this.readMessages();
    this.#port.close();
    const unbegun = this.takeUnbegun();
    const begun = [...this.#tasks.values()].map(({ task }) => task);
    this.#tasks.clear();
    this.#reason ??= toReason(code, this.#cause, maxHeapMb);
    this.tell(this.#isAsked ? 'end' : 'lost', this.#isAsked ? undefined : this.#reason);
    this.#listener.onEnd(this, {
      reason: this.#reason,
      cause: this.#cause,
      begun,
      unbegun,
      isAsked: this.#isAsked,
      hasNoHandler: this.#hasNoHandler,
    });
  }
}

const events = channelOf('ng-ssr:worker');

function toMessage(id: number, { request, requestContext, name }: RenderJob): RenderMessage {
  const headers: string[] = [];
  for (const [field, value] of request.headers) headers.push(field, value);
  const { url } = request;
  const refused = refusedFields(request);
  return { kind: 'render', id, name, url, headers, refused, requestContext };
}

function toRendered({
  status,
  headers: list,
  body,
  hasErrors,
}: Extract<FromThread, { kind: 'rendered' }>): Rendered {
  const headers = new Headers();
  for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!);
  return { response: { status, headers }, body: Buffer.from(body), hasErrors };
}

function toPath({ url }: Entry): string {
  return fileURLToPath(url);
}

function toReason(code: number, cause: unknown, maxHeapMb: number): string {
  if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `its heap outgrew ${maxHeapMb} MiB (render.maxHeapMb)`;
  }
  if (cause === undefined) return `it exited with code ${code}`;
  const [firstLine] = String(cause).split('\n', 1);
  return `nobody caught ${firstLine}`;
}
