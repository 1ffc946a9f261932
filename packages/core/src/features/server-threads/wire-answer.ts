import type { Answer } from '../../exchange.ts';
import { toBuffer } from '../../shared-bytes.ts';
import { type WireError, toWireError, toSsrError } from '../../threads/wire-error.ts';

/** An answer as plain data. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array | null;
  readonly error: WireError | undefined;
}

/**
 * An answer as plain data, with what is to be transferred. Stored pages are in shared memory; other content is
 * copied once, since an answer may be one that this thread keeps.
 */
export function toWireAnswer({ status, headers, body, error }: Answer): {
  readonly answer: WireAnswer;
  readonly transfer: ArrayBuffer[];
} {
  const wireError = error && toWireError(error);
  if (body === null || body.buffer instanceof SharedArrayBuffer) {
    return { answer: { status, headers, body, error: wireError }, transfer: [] };
  }
  const copy = new Uint8Array(body);
  return { answer: { status, headers, body: copy, error: wireError }, transfer: [copy.buffer] };
}

/** The answer that {@link toWireAnswer} was given. */
export function fromWireAnswer({ status, headers, body, error }: WireAnswer): Answer {
  const answer = { status, headers, body: body && toBuffer(body) };
  return error === undefined ? answer : { ...answer, error: toSsrError(error) };
}
