import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Dictionary } from './dictionary.ts';
import {
  DICTIONARY_ENCODINGS,
  type DictionaryEncoding,
  type DictionaryLevels,
} from './dictionary-encoding.ts';

/** What the content of each encoding begins with; the SHA-256 of the dictionary follows. */
const MAGIC: Readonly<Record<DictionaryEncoding, Buffer>> = {
  dcb: Buffer.from([0xff, 0x44, 0x43, 0x42]),
  // A skippable frame of 32 bytes.
  dcz: Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00]),
};

/**
 * Codes content against a dictionary, on zlib's threads. Windows are those of the libraries' levels: Brotli's
 * of 4 MiB, where clients take 16, and Zstandard's of at most 8 MiB up to level 19, which all clients take.
 *
 * @param encoding - One of {@link availableDictionaryEncodings}.
 */
export async function encodeWith(
  dictionary: Dictionary,
  body: Uint8Array,
  encoding: DictionaryEncoding,
  levels: DictionaryLevels,
): Promise<Uint8Array> {
  const options = optionsOf(encoding, dictionary.content, levels, body.byteLength);
  const stream = await compress[encoding](body, options);
  return Buffer.concat([MAGIC[encoding], dictionary.digest, stream]);
}

type Options = zlib.BrotliOptions & zlib.ZstdOptions & { readonly dictionary: Uint8Array };
type Compress = (body: Uint8Array, options: Options) => Promise<Uint8Array>;

const compress: Readonly<Record<DictionaryEncoding, Compress>> = {
  dcb: promisify(zlib.brotliCompress) as Compress,
  dcz: (body, options) => promisify(zlib.zstdCompress)(body, options),
};

function optionsOf(
  encoding: DictionaryEncoding,
  dictionary: Uint8Array,
  levels: DictionaryLevels,
  byteLength: number,
): Options {
  const { constants } = zlib;
  if (encoding === 'dcb') {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: levels.dcb,
      [constants.BROTLI_PARAM_SIZE_HINT]: byteLength,
    };
    return { dictionary, params };
  }
  const params = { [constants.ZSTD_c_compressionLevel]: levels.dcz };
  return { dictionary, params, pledgedSrcSize: byteLength };
}

let available: readonly DictionaryEncoding[] | undefined;

/**
 * The encodings that this runtime can make. Each is tried once, since runtimes without support for dictionaries
 * take the option and ignore it.
 */
export function availableDictionaryEncodings(): readonly DictionaryEncoding[] {
  return (available ??= DICTIONARY_ENCODINGS.filter(isAvailable));
}

function isAvailable(encoding: DictionaryEncoding): boolean {
  // Bytes that cannot be compressed without the dictionary.
  const sample = Buffer.concat(
    Array.from({ length: 16 }, (_, at) => createHash('sha512').update(String(at)).digest()),
  );
  const options = optionsOf(encoding, sample, { dcb: 5, dcz: 3 }, sample.byteLength);
  const { brotliCompressSync, brotliDecompressSync, zstdCompressSync, zstdDecompressSync } = zlib;
  try {
    const isBrotli = encoding === 'dcb';
    const encoded = (isBrotli ? brotliCompressSync : zstdCompressSync)(sample, options);
    if (encoded.byteLength > sample.byteLength / 2) return false;
    const { dictionary } = options;
    const decode = isBrotli ? brotliDecompressSync : zstdDecompressSync;
    return decode(encoded, { dictionary } as Options).equals(sample);
  } catch {
    return false;
  }
}
