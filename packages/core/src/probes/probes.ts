import type { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { ResolvedProbes } from './probe-options.ts';
import { ReadyCheck } from './ready-check.ts';

/** Answers the probes, at the cost of one comparison of the target for each. */
export class Probes {
  readonly #live: string | undefined;
  readonly #ready: string | undefined;
  readonly #state: () => ReadyState;
  readonly #check: ReadyCheck | undefined;

  /**
   * @param state - Called for the `ready` probe.
   * @param onError - Called with the reason when a user's check fails.
   */
  constructor(
    { live, ready }: ResolvedProbes,
    state: () => ReadyState,
    onError: (error: SsrError) => void,
  ) {
    this.#live = live;
    this.#ready = ready?.path;
    this.#state = state;
    this.#check = ready?.check && new ReadyCheck(ready.check, ready, onError);
  }

  isAsked(target: string): boolean {
    return target === this.#live || target === this.#ready;
  }

  /** @returns undefined if the request is no probe; a promise, which never rejects, for a user's check. */
  answer(method: string, target: string): Answer | Promise<Answer> | undefined {
    const isLive = target === this.#live;
    if (!isLive && target !== this.#ready) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (isLive) return answerOf('ok', method);
    const state = this.#state();
    if (state !== 'ok' || this.#check === undefined) return answerOf(state, method);
    const isReady = this.#check.isReady();
    if (typeof isReady === 'boolean') return answerOf(isReady ? 'ok' : 'failing', method);
    return isReady.then((now) => answerOf(now ? this.#state() : 'failing', method));
  }
}

/** Whether a process should get requests, and if not, why. */
export type ReadyState = 'ok' | 'starting' | 'draining';

const ANSWERS = {
  ok: prebuild(200, 'ok'),
  starting: prebuild(503, 'starting'),
  draining: prebuild(503, 'draining'),
  failing: prebuild(503, 'failing'),
};

function answerOf(state: keyof typeof ANSWERS, method: 'GET' | 'HEAD'): Answer {
  const { get, head } = ANSWERS[state];
  return method === 'GET' ? get : head;
}

function prebuild(status: number, text: string): { readonly get: Answer; readonly head: Answer } {
  const body = Buffer.from(`${text}\n`);
  const headers = [
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.byteLength)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
    ...['Cache-Status', 'ng-ssr; detail=probe'],
  ];
  return { get: { status, headers, body }, head: { status, headers, body: null } };
}
