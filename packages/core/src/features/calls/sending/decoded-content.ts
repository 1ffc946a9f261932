import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { toWebStream } from '../../../to-web-stream.ts';
import { Inflate } from './inflate.ts';

type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** More encodings than that are an attack: each may multiply the length. */
const MOST_ENCODINGS = 5;

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
/** A truncated content is decoded as far as it goes, as clients do. */
const BROTLI = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };
const ZLIB = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };

/** Undefined for encodings that the runtime does not know. */
function toDecoder(encoding: string): Duplex | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(ZLIB);
    case 'deflate':
      return new Inflate(ZLIB);
    case 'br':
      return zlib.createBrotliDecompress(BROTLI);
    case 'zstd':
      return (zlib as Partial<typeof zlib>).createZstdDecompress?.();
    default:
      return undefined;
  }
}

/**
 * Decodes content as `fetch` does (Fetch Standard, "handle content encodings"): content of an encoding that is not known
 * stays as it is.
 *
 * @param encoding - A Content-Encoding (RFC 9110 section 8.4).
 * @throws Error for more than five encodings.
 */
export function decodeContent(content: Content, encoding: string): Content {
  if (content instanceof Uint8Array && content.byteLength === 0) return content;
  const encodings = encoding.split(',').map((each) => each.trim().toLowerCase());
  if (encodings.length > MOST_ENCODINGS)
    throw new Error(`it has more than ${MOST_ENCODINGS} encodings`);
  const decoders = encodings.map(toDecoder);
  if (decoders.includes(undefined)) return content;
  const source =
    content instanceof Uint8Array
      ? Readable.from([content])
      : Readable.fromWeb(content as NodeStream<Uint8Array>);
  // The last stream has the error.
  const decoded = pipeline([source, ...(decoders.reverse() as Duplex[])], () => {});
  return toWebStream(decoded as Duplex);
}
