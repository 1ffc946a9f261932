import { SsrError } from './errors.ts';

/**
 * Waits for an answer until its deadline. The render goes on: its page may still be stored.
 *
 * @throws SsrError `NG_SSR_DEADLINE_PASSED`
 */
export async function withinDeadline<T>(
  answer: Promise<T>,
  deadlineMs: number,
  name: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new SsrError('NG_SSR_DEADLINE_PASSED', `${name} took longer than ${deadlineMs} ms`));
    }, deadlineMs);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
