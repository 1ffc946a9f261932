import { AsyncLocalStorage } from 'node:async_hooks';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { messageOf } from '../../describe-error.ts';
import { SsrError } from '../../errors.ts';
import type { Refresh, RefreshReport } from '../../pages/refreshes.ts';
import { type ServerThreadData, toServerThreadData } from '../../server-thread.ts';
import { collections, type ThreadCount } from '../../telemetry/thread-metrics.ts';
import type { Entry } from '../../threads/entry.ts';
import type { ServerThreadsParts } from '../../threads/server-threads.ts';
import { toThreadProgram } from '../../threads/thread-program.ts';
import { toWireError, toSsrError } from '../../threads/wire-error.ts';
import type { FromServerThread, RenderAsk, ToServerThread } from './messages.ts';
import { toWireAnswer } from './wire-answer.ts';
import { fromWireExchange } from './wire-exchange.ts';

/** What a server thread asks of the main thread. */
export interface MainServices extends Pick<
  ServerThreadsParts,
  'render' | 'judgeHost' | 'countAnswered'
> {
  /** Removes pages in this thread at once; rejects as `StoredPages.purge`. */
  purge(purge: Extract<FromServerThread, { readonly kind: 'purge' }>['purge']): Promise<void>;
  refresh(refresh: Refresh): Promise<RefreshReport>;
  invalidate(target: string, isCounted: boolean): void;
  countHits(key: string, hits: number): void;
  ready(): Promise<void>;
  /** Shuts the whole server down. */
  close(): void;
  /** The handler of a thread could not be closed. */
  closeFailed(error: SsrError): void;
}

const NO_FORK =
  'cluster.fork() was called in a thread of withServerThreads(), which runs the whole program: use ' +
  'either node:cluster or threads';

/** A server thread that has ended. */
export interface ThreadEnd {
  readonly reason: string;
  readonly cause: unknown;
}

/** One server thread, as the main thread sees it. */
export class ThreadLink {
  /** Resolves when it listens; rejects when it ends before that, or cannot. */
  readonly listening: Promise<void>;
  readonly ended: Promise<ThreadEnd>;
  /** Resolves when its last request is answered, or it has ended. */
  readonly drained: Promise<void>;
  isListening = false;
  /** Requests that it has answered, as far as it counts them. */
  requests = 0;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #services: MainServices;
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  /** What is called when the client of a request has disconnected, by the request's id. */
  readonly #leaving = new Map<number, Set<() => void>>();
  readonly #counting = new Map<number, () => void>();
  #onCut: ((requests: number | undefined) => void) | undefined;
  #lastCount = 0;
  #listens!: () => void;
  #drains!: () => void;
  #fails!: (error: unknown) => void;
  #hasEnded = false;

  constructor(entry: Entry, data: Omit<ServerThreadData, 'port'>, services: MainServices) {
    this.#services = services;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.listening = new Promise((resolve, reject) => {
      this.#listens = resolve;
      this.#fails = reject;
    });
    this.listening.catch(() => undefined);
    this.drained = new Promise((resolve) => (this.#drains = resolve));
    this.#worker = new Worker(toThreadProgram(entry, process.argv.slice(2), NO_FORK), {
      name: 'ng-ssr-server',
      workerData: toServerThreadData({ ...data, port: port2 }),
      transferList: [port2],
    });
    this.ended = this.#watch();
    port1.on('message', (message: FromServerThread) => this.#take(message));
    port1.unref();
  }

  get threadId(): number {
    return this.#worker.threadId;
  }

  post(message: ToServerThread, transfer: ArrayBuffer[] = []): void {
    if (!this.#hasEnded) this.#port.postMessage(message, transfer);
  }

  /** Reads pending messages now. */
  drain(): void {
    for (;;) {
      const next = receiveMessageOnPort(this.#port) as
        { readonly message: FromServerThread } | undefined;
      if (next === undefined) return;
      this.#take(next.message);
    }
  }

  /** Has the thread send the requests it has counted; resolves when they are added, or the thread has ended. */
  count(): Promise<void> {
    if (!this.isListening || this.#hasEnded) return Promise.resolve();
    const id = ++this.#lastCount;
    return new Promise((resolve) => {
      this.#counting.set(id, resolve);
      this.post({ kind: 'count', id });
    });
  }

  /** Destroys its connections. Resolves with the number of requests in flight, undefined if it is not known. */
  cut(): Promise<number | undefined> {
    if (this.#hasEnded) return Promise.resolve(0);
    return new Promise((resolve) => {
      this.#onCut = resolve;
      this.post({ kind: 'cut' });
    });
  }

  /** Ends a thread that has not listened in time. */
  abandon(seconds: number): void {
    this.#fails(notStarted(`it did not within ${seconds} s`, undefined));
    void this.#worker.terminate();
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #watch(): Promise<ThreadEnd> {
    let cause: unknown;
    return new Promise((resolve) => {
      this.#worker.on('error', (error) => (cause = error));
      this.#worker.on('exit', (code) => {
        // What it has sent before it ended.
        this.drain();
        this.#hasEnded = true;
        this.#port.close();
        for (const listeners of this.#leaving.values()) for (const leave of listeners) leave();
        this.#leaving.clear();
        for (const resolveCount of this.#counting.values()) resolveCount();
        this.#onCut?.(undefined);
        this.#drains();
        const reason = cause === undefined ? `it exited with ${code}` : messageOf(cause);
        this.#fails(this.isListening ? undefined : notStarted(reason, cause));
        resolve({ reason, cause });
      });
    });
  }

  #take(message: FromServerThread): void {
    this.#runAtStart(() => this.#handle(message));
  }

  #handle(message: FromServerThread): void {
    const services = this.#services;
    switch (message.kind) {
      case 'render':
        return void this.#render(message);
      case 'left': {
        const listeners = this.#leaving.get(message.id);
        this.#leaving.delete(message.id);
        for (const leave of listeners ?? []) leave();
        return;
      }
      case 'purge':
        return this.#reply(message.id, services.purge(message.purge));
      case 'refresh':
        return this.#reply(message.id, services.refresh(message.refresh));
      case 'invalidate':
        return services.invalidate(message.target, message.isCounted);
      case 'hits':
        for (const [key, hits] of message.hits) services.countHits(key, hits);
        return;
      case 'answered':
        for (const count of Object.values(message.counts)) this.requests += count;
        return services.countAnswered(message);
      case 'host':
        return this.#reply(message.id, services.judgeHost(message.host));
      case 'ready':
        return this.#reply(message.id, services.ready());
      case 'metrics': {
        const values = collections[message.collection]?.read();
        return this.#reply(message.id, values ?? Promise.resolve([]));
      }
      case 'counts':
        this.#addCounts(message.counts);
        this.#counting.get(message.id)?.();
        this.#counting.delete(message.id);
        return;
      case 'listening':
        this.isListening = true;
        return this.#listens();
      case 'failed-to-listen':
        return this.#fails(toListenError(message.error));
      case 'close':
        return services.close();
      case 'cut':
        return this.#onCut?.(message.requests);
      case 'drained':
        return this.#drains();
      case 'ended':
        if (message.error !== undefined) services.closeFailed(toSsrError(message.error));
        return;
    }
  }

  async #render({ id, exchange, requestContext }: RenderAsk): Promise<void> {
    const listeners = new Set<() => void>();
    this.#leaving.set(id, listeners);
    const own = fromWireExchange(exchange, {
      onLeave: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      hint: (links) => this.post({ kind: 'hints', id, links }),
    });
    try {
      const rendered = await this.#services.render(own, requestContext);
      if (rendered === undefined) return this.post({ kind: 'answer', id, answer: undefined });
      const { answer, transfer } = toWireAnswer(rendered);
      this.post({ kind: 'answer', id, answer }, transfer);
    } catch (error) {
      this.post({ kind: 'failed', id, error: toWireError(error) });
    } finally {
      this.#leaving.delete(id);
    }
  }

  #reply(id: number, result: Promise<unknown>): void {
    result.then(
      (value) => this.post({ kind: 'done', id, value }),
      (error: unknown) => this.post({ kind: 'failed', id, error: toWireError(error) }),
    );
  }

  #addCounts(counts: readonly (readonly ThreadCount[])[]): void {
    counts.forEach((each, collection) => collections[collection]?.add(each));
  }
}

function notStarted(reason: string, cause: unknown): SsrError {
  const message = `a server thread ended, because its program did not listen in it: ${reason}`;
  return new SsrError('NG_SSR_THREAD_NOT_STARTED', message, { cause });
}

/** The error of the thread's `listen`, with its own code, such as EADDRINUSE. */
function toListenError(
  plain: Extract<FromServerThread, { kind: 'failed-to-listen' }>['error'],
): unknown {
  if (plain.code?.startsWith('NG_SSR_')) return toSsrError(plain);
  const { message, code, stack } = plain;
  return Object.assign(new Error(message), { code, stack });
}
