import { type Agent, request } from 'node:http';
import { type Fallback, fallbackOf } from './fallbacks.ts';

/** What to ask for. */
export interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came, and how long after `fromMs` its last byte did. */
export interface Answered {
  readonly fallback: Fallback;
  readonly ms: number;
  /** Of an error: what went wrong. */
  readonly problem: string | undefined;
}

/** Who has waited so long has gone. */
const PATIENCE_MS = 5000;

/**
 * Asks, and reads the answer to its end. Never rejects.
 *
 * @param fromMs - When the request was due (`performance.now()`): a late one has waited already.
 */
export function ask(
  origin: string,
  { path, headers = {} }: Asked,
  agent: Agent,
  fromMs = performance.now(),
): Promise<Answered> {
  return new Promise((resolve) => {
    const options = { agent, headers: { 'accept-encoding': 'br', ...headers } };
    const asked = request(origin + path, options, (answer) => {
      const { statusCode = 0, headers } = answer;
      const cacheStatus = headers['cache-status'] as string | undefined;
      const fallback = fallbackOf(statusCode, cacheStatus);
      answer.resume();
      answer.once('end', () => end(fallback, `${statusCode} with "${cacheStatus}"`));
      answer.once('error', fail);
    });
    const fail = (error: NodeJS.ErrnoException): void => end('error', error.code ?? error.message);
    const end = (fallback: Fallback, problem: string): void => {
      clearTimeout(timer);
      const ms = performance.now() - fromMs;
      resolve({ fallback, ms, problem: fallback === 'error' ? problem : undefined });
    };
    const timer = setTimeout(
      () => asked.destroy(new Error(`no answer for ${PATIENCE_MS} ms`)),
      PATIENCE_MS,
    );
    asked.once('error', fail);
    asked.end();
  });
}
