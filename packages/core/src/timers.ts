import { SsrError } from './errors.ts';

/**
 * Waits for an answer, of a careless store no promise, until its deadline. A render goes on: its page may still be stored.
 *
 * @param deadlineMs - Infinity for none.
 * @param onLateError - Called with an error of the answer after its deadline, which no caller gets.
 * @throws SsrError `NG_SSR_DEADLINE_PASSED`, or the rejection of `answer`.
 */
export async function withinDeadline<T>(
  answer: Promise<T>,
  deadlineMs: number,
  name: string,
  onLateError: (error: unknown) => void = () => undefined,
): Promise<T> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return answer;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new SsrError('NG_SSR_DEADLINE_PASSED', `${name} took longer than ${deadlineMs} ms`));
    }, deadlineMs);
  });
  Promise.resolve(answer).catch((error: unknown) => {
    if (isLate) onLateError(error);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after a time. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Lets a process of Node end before its timer. Timers of other runtimes are numbers, and keep nothing alive. */
export function unref(timer: NodeJS.Timeout): NodeJS.Timeout {
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

/**
 * The time limit of a page store. It is longer while `ng-ssr render` fills the store: no visitor waits, and renders keep
 * all cores busy.
 */
export function timeLimit(timeoutMs: number, isFilling = false, fillingMs = 10_000): number {
  return isFilling ? Math.max(timeoutMs, fillingMs) : timeoutMs;
}
