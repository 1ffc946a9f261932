import { platform } from '#platform';

/** The same bytes in memory that all threads of the process can read; a copy unless they are there already. */
export function toSharedBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return toBuffer(bytes);
  const shared = toBuffer(new Uint8Array(new SharedArrayBuffer(bytes.byteLength)));
  shared.set(bytes);
  return shared;
}

/**
 * The same bytes in memory that they have to themselves; a copy if they are a part of a larger one. Node's small Buffers
 * are parts of 64 KiB (8 KiB before Node 24), all of which stay in memory as long as one of them does.
 */
export function inOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > bytes.byteLength ? toBuffer(new Uint8Array(bytes)) : bytes;
}

/**
 * A copy of a part of a text. V8 keeps the whole text alive as long as a part of it: a request's head must not stay in
 * memory for what is remembered of it.
 */
export function toOwnText(part: string): string {
  return ` ${part}`.slice(1);
}

/** A view of the same memory: a Buffer that has crossed threads is a plain Uint8Array. */
export function toBuffer(bytes: Uint8Array): Uint8Array {
  return platform.viewOf(bytes);
}
