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
