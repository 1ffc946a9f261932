import { SsrError } from '../../../errors.ts';
import type { CallAnswer } from '../../../render/call.ts';
import type { CallEnding, CallResponse, UntaggedCall } from '../call-request.ts';
import { callError, connectionError, tooLarge } from '../call-errors.ts';

/** Responses with these statuses have no content (Fetch Standard, "null body status"). */
const WITHOUT_CONTENT = new Set([101, 103, 204, 205, 304]);

/** How long a call lasts, besides the time of its rule. */
interface Lifetime {
  /** The signal that the caller has passed to `fetch`. */
  readonly callers: AbortSignal | undefined;
  /** Whether it ends with its render: it carries something of the visitor. */
  readonly isTied: boolean;
}

/** A call of a render: from its start until its content has been read. */
export class OpenCall {
  readonly #untagged: UntaggedCall;
  readonly #controller: AbortController;
  readonly #lifetime: Lifetime;
  readonly #onEnd: (ending: CallEnding) => void;
  #timer: NodeJS.Timeout | undefined;
  readonly #timeMs = Date.now();
  readonly #sinceMs = performance.now();
  #unwatch: (() => void) | undefined;
  /** Takes content from the API before it is read. */
  #readAhead: (() => Promise<void>) | undefined;
  #isOver = false;
  /** Whether no render waits for it: content that is not read would keep its connection. */
  #isOutliving = false;

  /**
   * @param controller - Of the call's signal.
   * @param onEnd - Called once.
   */
  constructor(
    untagged: UntaggedCall,
    controller: AbortController,
    lifetime: Lifetime,
    onEnd: (ending: CallEnding) => void,
  ) {
    this.#untagged = untagged;
    this.#controller = controller;
    this.#lifetime = lifetime;
    this.#onEnd = onEnd;
    lifetime.callers?.addEventListener('abort', this.#abortForCaller);
    const { timeoutMs } = untagged.rule;
    if (timeoutMs !== undefined) {
      this.#expireAfter(timeoutMs, `took longer than ${timeoutMs} ms (timeoutMs of its rule)`);
    }
  }

  /**
   * The render has ended. A call without a time of its own then gets that of a render.
   *
   * @param mostMs - How long a render may take.
   */
  outlive(mostMs: number): void {
    if (this.#isOver) return;
    const leftMs = mostMs - (performance.now() - this.#sinceMs);
    if (this.#lifetime.isTied || (this.#timer === undefined && leftMs <= 0)) {
      return this.abort('was in flight when the render ended');
    }
    if (this.#timer === undefined) {
      this.#expireAfter(leftMs, `took longer than ${mostMs} ms (render.timeoutMs)`);
    }
    this.#isOutliving = true;
    void this.#readAhead?.();
  }

  /** @param happened - The rest of the sentence. */
  abort(happened: string): void {
    this.#controller.abort(callError('NG_SSR_CALL_ENDED', this.#untagged, happened));
  }

  #expireAfter(ms: number, happened: string): void {
    this.#timer = setTimeout(() => {
      this.#controller.abort(callError('NG_SSR_CALL_TIMEOUT', this.#untagged, happened));
    }, ms).unref();
  }

  /** @returns the error to reject the call with. */
  fail(cause: unknown): unknown {
    const { signal } = this.#controller;
    const error: unknown = signal.aborted ? signal.reason : cause;
    this.#end(undefined, error, 0);
    return error;
  }

  /** The response. The call ends with its content. */
  answer(response: CallResponse): CallAnswer {
    const { status, body } = response;
    const hasContent = body !== null && !WITHOUT_CONTENT.has(status);
    if (hasContent && body instanceof ReadableStream) {
      return { ...response, body: this.#watch(response, body) };
    }
    if (body instanceof ReadableStream) void body.cancel().catch(() => {});
    const content = hasContent ? (body as Uint8Array<ArrayBuffer>) : null;
    this.#end(response, undefined, content?.byteLength ?? 0);
    return { ...response, body: content };
  }

  /** Counts the content of a response, and refuses more than the rule allows. */
  #watch(response: CallResponse, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const { signal } = this.#controller;
    const { maxBytes } = this.#untagged.rule;
    let bytes = 0;
    const fail = (error: unknown): void => {
      reader.cancel(error).catch(() => {});
      this.#end(undefined, error, bytes);
    };
    const pull = async (stream: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        const { done, value } = await reader.read();
        if (this.#isOver) return;
        if (done) {
          stream.close();
          return this.#end(response, undefined, bytes);
        }
        bytes += value.byteLength;
        if (bytes > maxBytes) throw tooLarge(this.#untagged);
        stream.enqueue(value);
      } catch (cause) {
        if (this.#isOver) return;
        const isKnown = cause instanceof SsrError;
        const error = isKnown
          ? cause
          : connectionError(this.#untagged, cause, 'ended before its content was complete');
        stream.error(error);
        fail(error);
      }
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (stream) => {
          const abort = (): void => {
            stream.error(signal.reason);
            fail(signal.reason);
          };
          if (signal.aborted) return abort();
          signal.addEventListener('abort', abort);
          this.#readAhead = async () => {
            while (!this.#isOver) await pull(stream);
          };
          if (this.#isOutliving) void this.#readAhead();
          // Runtimes keep the signal of a request longer than the request.
          this.#unwatch = () => signal.removeEventListener('abort', abort);
        },
        pull,
        cancel: (reason) => {
          fail(reason ?? new DOMException('The content was not read', 'AbortError'));
        },
      },
      { highWaterMark: 0 },
    );
  }

  readonly #abortForCaller = (): void => this.#controller.abort(this.#lifetime.callers!.reason);

  #end(response: CallResponse | undefined, error: unknown, bytes: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#lifetime.callers?.removeEventListener('abort', this.#abortForCaller);
    this.#onEnd({
      response,
      thrown: error,
      timeMs: this.#timeMs,
      durationMs: performance.now() - this.#sinceMs,
      status: response?.status,
      result: response?.result ?? (this.#untagged.rule.cache === undefined ? 'bypass' : 'miss'),
      error: response ? undefined : error instanceof SsrError ? error.code : 'aborted',
      bytes,
    });
  }
}
