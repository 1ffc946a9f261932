import { type Duplex, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { toWebStream } from '../../../to-web-stream.ts';
import { Inflate } from './inflate.ts';

type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** More codings than that are an attack: each may multiply the length. */
const MOST_CODINGS = 5;

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
/** A truncated content is decoded as far as it goes, as clients do. */
const BROTLI = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };
const ZLIB = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };

/** Undefined for codings that the runtime does not know. */
function toDecoder(coding: string): Duplex | undefined {
  switch (coding) {
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
 * Decodes content as `fetch` does (Fetch Standard, "handle content codings"): content of a coding that is not known
 * stays as it is.
 *
 * @param coding - A Content-Encoding (RFC 9110 section 8.4).
 * @throws Error for more than five codings.
 */
export function decodeContent(content: Content, coding: string): Content {
  if (content instanceof Uint8Array && content.byteLength === 0) return content;
  const codings = coding.split(',').map((each) => each.trim().toLowerCase());
  if (codings.length > MOST_CODINGS) throw new Error(`it has more than ${MOST_CODINGS} codings`);
  const decoders = codings.map(toDecoder);
  if (decoders.includes(undefined)) return content;
  const source =
    content instanceof Uint8Array
      ? Readable.from([content])
      : Readable.fromWeb(content as NodeStream<Uint8Array>);
  // The last stream has the error.
  const decoded = pipeline([source, ...(decoders.reverse() as Duplex[])], () => {});
  return toWebStream(decoded as Duplex);
}
