import { AsyncLocalStorage } from 'node:async_hooks';
import { receiveMessageOnPort } from 'node:worker_threads';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import type { ReadyState } from '../../probes/probes.ts';
import type { ServerThreadData } from '../../server-thread.ts';
import { collections, readFromMain } from '../../telemetry/thread-metrics.ts';
import { toWireError, toSsrError } from '../../threads/wire-error.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { FromServerThread, ThreadStart, ToServerThread } from './messages.ts';
import { fromWireAnswer } from './wire-answer.ts';
import { toWireExchange } from './wire-exchange.ts';
import { isBehind } from './purge-counters.ts';

/** Messages about what this thread has copies of. */
export type CopyMessage = Extract<
  ToServerThread,
  { readonly kind: 'stored' | 'dropped' | 'refreshed' | 'purged' | 'encoded' | 'count' }
>;

/** Messages about stored pages. */
export type PageMessage = Exclude<CopyMessage, { readonly kind: 'encoded' | 'count' }>;

/** Messages about the end of this thread. */
export type EndMessage = Extract<
  ToServerThread,
  { readonly kind: 'announce-close' | 'end' | 'cut' }
>;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: SsrError) => void;
  readonly exchange: Exchange | undefined;
}

/** The main thread, as a server thread sees it. */
export class MainLink {
  readonly start: ThreadStart;
  /** Whether the process should get requests. */
  state: ReadyState;
  readonly #data: ServerThreadData;
  readonly #pending = new Map<number, Pending>();
  /** Messages are of no request, also when one has them read. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #onCopy: (message: CopyMessage) => void = () => undefined;
  #onEnd: (message: EndMessage) => void = () => undefined;
  readonly #told: Int32Array;
  #lastId = 0;
  #isListening = false;

  constructor(data: ServerThreadData) {
    this.#data = data;
    this.start = data.start as ThreadStart;
    this.state = this.start.state;
    this.#told = this.start.told;
  }

  /** Takes messages from now on. */
  listen(onCopy: (message: CopyMessage) => void): void {
    const { port } = this.#data;
    this.#onCopy = onCopy;
    port.on('message', (message: ToServerThread) => this.#take(message));
    // A program that does not listen ends, once it has what it asked for.
    port.unref();
    readFromMain((collection) => this.ask((id) => ({ kind: 'metrics', id, collection })).reply);
  }

  /** Reports that a server of this thread listens, and keeps the thread alive. */
  listening(onEnd: (message: EndMessage) => void): void {
    this.#onEnd = onEnd;
    this.#isListening = true;
    this.#data.port.ref();
    // The main thread does it when all listen.
    collectGarbage();
    this.post({ kind: 'listening' });
  }

  post(message: FromServerThread): void {
    this.#data.port.postMessage(message);
  }

  /** @throws SsrError as the main thread. */
  ask(
    toMessage: (id: number) => Extract<FromServerThread, { readonly id: number }>,
    exchange?: Exchange,
  ): { readonly id: number; readonly reply: Promise<unknown> } {
    const id = ++this.#lastId;
    this.post(toMessage(id));
    this.#data.port.ref();
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, exchange });
    });
    return { id, reply };
  }

  /**
   * Asks for the answer to a request.
   *
   * @param onLeave - Calls back when the request no longer waits. Undefined if none does: a page is refreshed.
   * @throws SsrError `NG_SSR_CONTEXT_NOT_CLONEABLE`
   */
  async render(
    exchange: Exchange,
    requestContext: unknown,
    name: string,
    onLeave?: (listener: () => void) => void,
  ): Promise<Answer | undefined> {
    const waiting = onLeave && exchange;
    const plain = toWireExchange(exchange, waiting?.earlyHints !== undefined, undefined);
    try {
      const { id, reply } = this.ask(
        (id) => ({ kind: 'render', id, exchange: plain, requestContext }),
        waiting,
      );
      onLeave?.(() => {
        if (this.#pending.delete(id)) this.post({ kind: 'left', id });
      });
      return (await reply) as Answer | undefined;
    } catch (cause) {
      if (cause instanceof SsrError) throw cause;
      const message =
        `${name} failed: its requestContext cannot be cloned for the main thread, which renders; allowed with ` +
        'withServerThreads(): plain data that structuredClone() accepts, without functions and objects of the ' +
        'framework';
      throw new SsrError('NG_SSR_CONTEXT_NOT_CLONEABLE', message, { cause });
    }
  }

  /** Asks for the answer to a request whose content counts. */
  async renderWithContent(
    exchange: Exchange,
    content: Uint8Array | undefined,
  ): Promise<Answer | undefined> {
    const plain = toWireExchange(exchange, false, content);
    const request = { kind: 'render', exchange: plain, requestContext: undefined } as const;
    return (await this.ask((id) => ({ ...request, id })).reply) as Answer | undefined;
  }

  /** Counts a purge that was sent: from now on no thread uses a page before it has seen the purge. */
  notePurge(): void {
    Atomics.add(this.#data.asked, this.start.counter, 1);
  }

  /**
   * Reads pending messages if a purge is among them.
   *
   * @returns false if the main thread has not passed on all purges that were asked for.
   */
  catchUp(): boolean {
    if (!this.#isBehind()) return true;
    this.readAll();
    return !this.#isBehind();
  }

  /** Reads all messages that have come. */
  readAll(): void {
    const { port } = this.#data;
    for (;;) {
      const next = receiveMessageOnPort(port) as { readonly message: ToServerThread } | undefined;
      if (next === undefined) return;
      this.#take(next.message);
    }
  }

  /** Sends the requests that were counted since the last time. */
  sendCounts(id: number): void {
    const counts = collections.map((collection) => [...collection.takeCounts()]);
    this.post({ kind: 'counts', id, counts });
  }

  /** The last message: the thread may end. */
  end(error?: unknown): void {
    this.post({ kind: 'ended', error: error === undefined ? undefined : toWireError(error) });
  }

  #isBehind(): boolean {
    return isBehind(this.#data.asked, this.#told);
  }

  #take(message: ToServerThread): void {
    this.#runAtStart(() => this.#handle(message));
  }

  #handle(message: ToServerThread): void {
    switch (message.kind) {
      case 'answer':
        return this.#settle(message.id)?.resolve(message.answer && fromWireAnswer(message.answer));
      case 'done':
        return this.#settle(message.id)?.resolve(message.value);
      case 'failed':
        return this.#settle(message.id)?.reject(toSsrError(message.error));
      case 'hints':
        return this.#pending.get(message.id)?.exchange?.earlyHints?.(message.links);
      case 'told':
        this.#told[message.counter] = message.told;
        return;
      case 'state':
        this.state = message.state;
        return;
      case 'announce-close':
      case 'end':
      case 'cut':
        return this.#onEnd(message);
      default:
        return this.#onCopy(message);
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!this.#isListening && this.#pending.size === 0) this.#data.port.unref();
    return pending;
  }
}
