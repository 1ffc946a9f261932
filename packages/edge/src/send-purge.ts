import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from './edge-options.ts';

/** A request that purges something. */
export interface PurgeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The shortest waits between attempts: the first, doubled up to the last. */
const FIRST_WAIT_MS = 100;
const LAST_WAIT_MS = 5000;
/** With less time left, an attempt would end without a response, and hide what the edge has answered before. */
const SHORTEST_ATTEMPT_MS = 50;
/** However long the deadline is. */
const MOST_ATTEMPTS = 30;
/** How much of an edge's explanation goes into an error. */
const MOST_SHOWN = 200;
const MOST_READ = 64 * 1024;

/** Until when a purge may take, with all its requests. */
export interface Deadline {
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  /** By `performance.now()`. */
  readonly untilMs: number;
}

/** The deadline of a purge that begins now. */
export function startDeadline({ timeoutMs, deadlineMs }: Limits): Deadline {
  return { timeoutMs, deadlineMs, untilMs: performance.now() + deadlineMs };
}

/** An attempt that has failed. */
interface Failure {
  readonly error: Error;
  readonly mayRetry: boolean;
  /** What the edge asks for. */
  readonly waitMs: number | undefined;
}

/**
 * Sends a request of a purge until the edge confirms it: after errors of the connection, timeouts, 408, 429 and 5xx once more, not
 * before the time that Retry-After names. An edge that names none, or `Retry-After: 0`, is left more time after each
 * attempt.
 *
 * @param isConfirmed - Whether the content of a 2xx confirms it.
 * @throws Error naming the URL, and the status or the failure of the last attempt.
 */
export async function sendPurge(
  request: PurgeRequest,
  { timeoutMs, deadlineMs, untilMs }: Deadline,
  isConfirmed: (text: string) => boolean = () => true,
): Promise<void> {
  if (performance.now() >= untilMs) {
    throw new Error(`${request.method} ${request.url} was not sent within ${deadlineMs} ms`);
  }
  for (let attempt = 1, waitMs = FIRST_WAIT_MS; ; attempt++) {
    const leftMs = Math.max(1, Math.ceil(untilMs - performance.now()));
    const failure = await attemptOnce(request, Math.min(timeoutMs, leftMs), isConfirmed);
    if (failure === undefined) return;
    // Processes that failed together must not come back together.
    const nextMs = Math.max(failure.waitMs ?? 0, waitMs * (0.5 + Math.random() / 2));
    const lastMs = untilMs - SHORTEST_ATTEMPT_MS;
    const mayRetry =
      failure.mayRetry && attempt < MOST_ATTEMPTS && performance.now() + nextMs < lastMs;
    if (mayRetry) await wait(nextMs);
    // A wait may take longer on a busy machine.
    if (!mayRetry || performance.now() >= lastMs) {
      const { error } = failure;
      const attempts = attempt === 1 ? '' : ` (${attempt} attempts)`;
      throw new Error(`${request.method} ${request.url} ${error.message}${attempts}`, {
        cause: error,
      });
    }
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
  }
}

async function attemptOnce(
  { url, method, headers, body }: PurgeRequest,
  timeoutMs: number,
  isConfirmed: (text: string) => boolean,
): Promise<Failure | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // A redirect would take the token elsewhere.
    const init = { method, headers, redirect: 'manual', signal } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    const text = await readText(response);
    if (response.ok && isConfirmed(text)) return undefined;
    const { status } = response;
    const mayRetry = status === 408 || status === 429 || status >= 500;
    const shown = text.replaceAll(/\s+/g, ' ').slice(0, MOST_SHOWN).trim();
    const error = new Error(`got status ${status}${shown === '' ? '' : `: ${shown}`}`);
    return { error, mayRetry, waitMs: retryAfterMs(response.headers.get('retry-after')) };
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
    const reason = isTimeout ? `took longer than ${timeoutMs} ms` : `failed: ${reasonOf(cause)}`;
    return { error: new Error(reason, { cause }), mayRetry: true, waitMs: undefined };
  }
}

/** Reads the content, so that its connection can be used again; of too much of it only the beginning. */
async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_READ) break;
  }
  return text;
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}

/** `fetch failed` says nothing: its cause does. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message || cause.name;
}
