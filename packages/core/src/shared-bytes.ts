/** The same bytes in memory that all threads of the process can read; a copy unless they are there already. */
export function toSharedBytes(bytes: Uint8Array): Buffer {
  if (bytes.buffer instanceof SharedArrayBuffer) return toBuffer(bytes);
  const shared = Buffer.from(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}

/** A view of the same memory: a Buffer that has crossed threads is a plain Uint8Array. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
