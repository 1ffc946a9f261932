import type { Answer } from '../exchange.ts';
import { type PlainError, toPlainError, toSsrError } from '../render/workers/plain-error.ts';
import { toBuffer } from '../shared-bytes.ts';

/** An answer as plain data. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array | null;
  readonly error: PlainError | undefined;
}

/**
 * An answer as plain data, with what is to be transferred. Stored pages are in shared memory; other content is
 * copied once, since an answer may be one that this thread keeps.
 */
export function toPlainAnswer({ status, headers, body, error }: Answer): {
  readonly answer: PlainAnswer;
  readonly transfer: ArrayBuffer[];
} {
  const plainError = error && toPlainError(error);
  if (body === null || body.buffer instanceof SharedArrayBuffer) {
    return { answer: { status, headers, body, error: plainError }, transfer: [] };
  }
  const copy = new Uint8Array(body);
  return { answer: { status, headers, body: copy, error: plainError }, transfer: [copy.buffer] };
}

/** The answer that {@link toPlainAnswer} was given. */
export function fromPlainAnswer({ status, headers, body, error }: PlainAnswer): Answer {
  const answer = { status, headers, body: body && toBuffer(body) };
  return error === undefined ? answer : { ...answer, error: toSsrError(error) };
}
