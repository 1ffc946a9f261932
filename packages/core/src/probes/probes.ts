import type { Answer } from '../exchange.ts';
import type { ProbeOptions } from './probe-options.ts';

/** Answers the probes, with one comparison of the target for each that there is. */
export class Probes {
  readonly #live: string | undefined;
  readonly #ready: string | undefined;
  readonly #state: () => ReadyState;

  /** @param state - Asked for the `ready` probe. */
  constructor({ live, ready }: ProbeOptions, state: () => ReadyState) {
    this.#live = live;
    this.#ready = ready;
    this.#state = state;
  }

  /** @returns undefined for what is no probe. */
  answer(method: string, target: string): Answer | undefined {
    const isLive = target === this.#live;
    if (!isLive && target !== this.#ready) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const { get, head } = ANSWERS[isLive ? 'ok' : this.#state()];
    return method === 'GET' ? get : head;
  }
}

/** Whether a process should get requests, and why not. */
export type ReadyState = 'ok' | 'starting' | 'draining';

const ANSWERS = {
  ok: prebuild(200, 'ok'),
  starting: prebuild(503, 'starting'),
  draining: prebuild(503, 'draining'),
};

function prebuild(status: number, text: string): { readonly get: Answer; readonly head: Answer } {
  const body = Buffer.from(`${text}\n`);
  const headers = [
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.byteLength)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ];
  return { get: { status, headers, body }, head: { status, headers, body: null } };
}
