/** A store did not answer in time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs} ms`);
  }
}

/**
 * Waits for a reply, up to the timeout. A later reply or failure is dropped.
 *
 * A render may block the event loop for longer than the timeout. So the time runs from when the command
 * is written, and replies received meanwhile are read before it ends.
 *
 * @throws NoAnswerError after the timeout.
 */
export async function within<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let start: NodeJS.Immediate | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const end = (): void => void setImmediate(() => reject(new NoAnswerError(timeoutMs)));
    // A client may write in an immediate of its own, which was queued before this one.
    start = setImmediate(() => (timer = setTimeout(end, timeoutMs).unref()));
  });
  try {
    return await Promise.race([reply, tooLate]);
  } finally {
    clearImmediate(start);
    clearTimeout(timer);
  }
}
