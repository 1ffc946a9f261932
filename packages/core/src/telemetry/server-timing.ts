import type { Answer } from '../exchange.ts';

/**
 * Adds the time that the answer has taken here, for a browser's developer tools.
 *
 * @see https://www.w3.org/TR/server-timing/
 */
export function withTiming(answer: Answer, durationMs: number): Answer {
  const timing = `ng-ssr;dur=${durationMs.toFixed(1)}`;
  return { ...answer, headers: [...answer.headers, 'Server-Timing', timing] };
}

/** Adds the calls that the page has made, with the time in which one was under way. */
export function withCalls(answer: Answer, count: number, durationMs: number): Answer {
  const timing = `calls;dur=${durationMs.toFixed(1)};desc="${count}"`;
  return { ...answer, headers: [...answer.headers, 'Server-Timing', timing] };
}
