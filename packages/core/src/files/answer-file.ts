import { SsrError } from '../errors.ts';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';

/** A built file that is not held. */
export interface UnheldFile<Sent extends Answer | StreamedAnswer = Answer | StreamedAnswer> {
  /** Where its content is, for messages. */
  readonly absolutePath: string;
  /** Undefined if it is not known. */
  readonly sizeBytes?: number;
  /**
   * The answer to a GET or HEAD.
   *
   * @param onError - Called with errors that occur while the content is sent.
   * @throws Error, with the code ENOENT for a file that was deleted since start.
   */
  answer(exchange: Exchange, onError: (cause: unknown) => void): Promise<Sent>;
}

/**
 * The answer to a GET or HEAD with a built file that is not held.
 *
 * @param report - Called with errors that occur while the content is sent.
 * @returns undefined for a file that was deleted since start.
 * @throws SsrError `NG_SSR_FILE_UNREADABLE`
 */
export async function answerFile<Sent extends Answer | StreamedAnswer>(
  file: UnheldFile<Sent>,
  exchange: Exchange,
  report: (error: SsrError) => void,
): Promise<Sent | undefined> {
  const toError = (cause: unknown): SsrError => {
    const message = `${exchange.method} ${exchange.target}: ${file.absolutePath} cannot be read`;
    return new SsrError('NG_SSR_FILE_UNREADABLE', message, { cause });
  };
  try {
    return await file.answer(exchange, (cause) => report(toError(cause)));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw toError(cause);
  }
}
