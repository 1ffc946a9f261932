import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import zlib from 'node:zlib';

type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Undefined for codings that the runtime does not know. */
function toDecoder(coding: string): Duplex | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
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
 */
export function decodeContent(content: Content, coding: string): Content {
  const codings = coding.split(',').map((each) => each.trim().toLowerCase());
  const decoders = codings.filter((each) => each !== 'identity' && each !== '').map(toDecoder);
  if (decoders.length === 0 || decoders.includes(undefined)) return content;
  const source =
    content instanceof Uint8Array
      ? Readable.from([content])
      : Readable.fromWeb(content as NodeStream<Uint8Array>);
  const decoded = (decoders as Duplex[]).reduceRight<Readable>((coded, decoder) => {
    coded.once('error', (error) => decoder.destroy(error));
    decoder.once('close', () => coded.destroy());
    return coded.pipe(decoder);
  }, source);
  return Readable.toWeb(decoded) as unknown as ReadableStream<Uint8Array>;
}
