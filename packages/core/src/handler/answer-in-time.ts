import { SsrError } from '../errors.ts';
import { withinDeadline } from '../within-deadline.ts';

/**
 * Waits for an answer until its deadline. A render that fails later is reported here, because no request
 * is left to answer with its failure.
 *
 * @throws SsrError `NG_SSR_DEADLINE_PASSED`, or the rejection of `rendering`.
 */
export function answerInTime<T>(
  rendering: Promise<T>,
  deadlineMs: number,
  name: string,
  report: (error: SsrError) => void,
): Promise<T> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return rendering;
  let isLate = false;
  rendering.catch((error: SsrError) => {
    if (isLate && error.code !== 'NG_SSR_OVERLOADED') report(error);
  });
  return withinDeadline(rendering, deadlineMs, name).catch((error: unknown) => {
    isLate = error instanceof SsrError && error.code === 'NG_SSR_DEADLINE_PASSED';
    throw error;
  });
}
