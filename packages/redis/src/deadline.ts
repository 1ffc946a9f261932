/** Redis has not answered in time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/**
 * Waits for a reply, but no longer than that. The reply may come later: it is dropped, and so is
 * its failure.
 *
 * A render may hold the event loop for longer than that. So the time runs from when the command is
 * written, and what has arrived meanwhile is read before it is over.
 *
 * @throws NoAnswerError when the time is over.
 */
export async function within<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let start: NodeJS.Immediate | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const end = (): void => void setImmediate(() => reject(new NoAnswerError(timeoutMs)));
    // The client writes in an immediate of its own, which was there first.
    start = setImmediate(() => (timer = setTimeout(end, timeoutMs).unref()));
  });
  try {
    return await Promise.race([reply, tooLate]);
  } finally {
    clearImmediate(start);
    clearTimeout(timer);
  }
}
