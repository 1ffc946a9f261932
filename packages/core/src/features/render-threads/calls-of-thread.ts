import { SsrError } from '../../errors.ts';
import { type Call, type CallMaker, wholeBody } from '../../render/call.ts';
import { toWireError } from '../../threads/wire-error.ts';
import type { CalledMessage, CallMessage, ToThread } from './messages.ts';
import { toHeaders, toList } from './wire-render.ts';

/**
 * The calls of a render thread, as the main thread sees them: it makes them. A response is sent to the thread as a
 * whole: a page waits for all of it, and a stream between threads costs more than a copy.
 */
export class CallsOfThread {
  readonly #post: (message: ToThread) => void;
  readonly #inFlight = new Map<number, AbortController>();

  /** @param post - Sends a message to the thread. */
  constructor(post: (message: ToThread) => void) {
    this.#post = post;
  }

  /** @param maker - Of the render that calls; undefined if that has ended. */
  make(message: CallMessage, maker: CallMaker | undefined): void {
    const { kind: _kind, call, render: _render, ...sent } = message;
    const controller = new AbortController();
    this.#inFlight.set(call, controller);
    const asked = { ...sent, headers: toHeaders(sent.headers), signal: controller.signal };
    void answer(call, asked, maker)
      .catch((error: unknown): ToThread => {
        return { kind: 'call-failed', call, error: toWireError(error) };
      })
      .then((message) => this.#post(message))
      .finally(() => this.#inFlight.delete(call));
  }

  /** The caller has aborted a call. */
  abort(call: number): void {
    this.#inFlight.get(call)?.abort();
  }

  /** The thread has ended. */
  abortAll(): void {
    for (const controller of this.#inFlight.values()) controller.abort();
  }
}

async function answer(
  call: number,
  asked: Call,
  maker: CallMaker | undefined,
): Promise<CalledMessage> {
  if (maker === undefined) {
    const message = `${asked.method} ${asked.url} was made after its render had ended`;
    throw new SsrError('NG_SSR_CALL_ENDED', message);
  }
  const { status, statusText, headers, body, url, isRedirected } = await maker.make(asked);
  const whole = await wholeBody(body);
  const list = toList(headers);
  return {
    kind: 'called',
    call,
    status,
    statusText,
    headers: list,
    body: whole,
    url,
    isRedirected,
  };
}
