import { setTimeout as wait } from 'node:timers/promises';
import type { CallRequest, SentResponse, Transport } from '../call-request.ts';
import { mayRetry } from './network.ts';

/** Methods whose calls may be sent more than once. */
const RETRIED = new Set(['GET', 'HEAD', 'OPTIONS']);
const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 2000;

/** Sends a call, and again as often as its rule says. */
export async function sendWithRetries(call: CallRequest, send: Transport): Promise<SentResponse> {
  const { rule, method, body, signal } = call;
  const retries = RETRIED.has(method) && body === null ? rule.retries : 0;
  for (let retry = 0; ; retry++) {
    try {
      const response = await send(call);
      if (retry >= retries || !mayRetry(response)) return response;
      if (response.body instanceof ReadableStream) await response.body.cancel().catch(() => {});
    } catch (error) {
      if (retry >= retries || signal.aborted || !mayRetry(error)) throw error;
    }
    const longestMs = Math.min(FIRST_WAIT_MS * 2 ** retry, LAST_WAIT_MS);
    try {
      // Renders that failed together must not return together.
      await wait(longestMs * (0.5 + Math.random() / 2), undefined, { signal, ref: false });
    } catch {
      throw signal.reason;
    }
  }
}
