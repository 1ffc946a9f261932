import { promisify } from 'node:util';
import { type BrotliOptions, brotliDecompress } from 'node:zlib';

/** What Node gives with the option `info`. */
interface Decoded {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

const decompress = promisify(brotliDecompress) as unknown as (
  bytes: Uint8Array,
  options: BrotliOptions,
) => Promise<Decoded>;

/** The least that Node accepts. */
const LEAST_CHUNK_BYTES = 64;

/**
 * Decodes Brotli on a thread of zlib. The bytes are untrusted: it never rejects, and resolves to undefined unless they are
 * a single stream that decodes to exactly `length` bytes. Node ignores bytes after the stream, but browsers may reject them.
 */
export async function decodeBrotli(bytes: Uint8Array, length: number): Promise<Buffer | undefined> {
  // One chunk for all of it: several would be joined.
  const chunkSize = length + LEAST_CHUNK_BYTES;
  const maxOutputLength = Math.max(length, 1);
  try {
    const { buffer, engine } = await decompress(bytes, { chunkSize, maxOutputLength, info: true });
    const isWhole = buffer.byteLength === length && engine.bytesWritten === bytes.byteLength;
    return isWhole ? buffer : undefined;
  } catch {
    return undefined;
  }
}
