import { type Call, type CallAnswer, type CallMaker, wholeBody } from '../../render/call.ts';
import { toSsrError } from '../../threads/wire-error.ts';
import type { FromThread, ToThread } from './messages.ts';
import { toHeaders, toList } from './wire-render.ts';

type Settled = Extract<ToThread, { kind: 'called' | 'call-failed' }>;

/** Bun refuses streams in a message. */
const areStreamsTransferable = !('Bun' in globalThis);

type Post = (message: FromThread, transfer?: readonly ReadableStream[]) => void;

interface Waiting {
  readonly resolve: (answer: CallAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of a render thread's renders: the main thread makes them, for one cache and one limit of all threads. */
export class CallsInThread {
  readonly #post: Post;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  /** @param post - Sends a message to the main thread. */
  constructor(post: Post) {
    this.#post = post;
  }

  /**
   * @param render - The id of a render.
   * @returns `isOver` is to be set when the render has ended.
   */
  of(render: number, baseUrl: string | undefined): CallMaker & { isOver: boolean } {
    return { baseUrl, isOver: false, make: (call) => this.#make(render, call) };
  }

  settle(message: Settled): void {
    const waiting = this.#waiting.get(message.call);
    if (message.kind === 'call-failed') return waiting?.reject(toSsrError(message.error));
    const { kind: _kind, call: _call, headers, ...answer } = message;
    waiting?.resolve({ ...answer, headers: toHeaders(headers) });
  }

  async #make(
    render: number,
    { signal, headers, body: given, ...rest }: Call,
  ): Promise<CallAnswer> {
    signal?.throwIfAborted();
    const call = ++this.#last;
    const body = areStreamsTransferable ? given : await wholeBody(given);
    const sent = { ...rest, headers: toList(headers), body };
    let abort: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        abort = () => {
          this.#post({ kind: 'call-aborted', call });
          reject(signal!.reason as Error);
        };
        if (signal?.aborted === true) return abort();
        signal?.addEventListener('abort', abort);
        this.#waiting.set(call, { resolve, reject });
        // The main thread reads a stream: the rule's time includes that of the source.
        const transfer = body instanceof ReadableStream ? [body] : [];
        this.#post({ kind: 'call', call, render, ...sent }, transfer);
      });
    } finally {
      this.#waiting.delete(call);
      signal?.removeEventListener('abort', abort!);
    }
  }
}
