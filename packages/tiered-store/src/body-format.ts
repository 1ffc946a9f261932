import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, type BrotliOptions, constants } from 'node:zlib';
import type { StoredPage } from '@ng-ssr/core';
import { decodeBrotli } from '@ng-ssr/core/store';

/*
 * A body as its stores have it: `NGB`, the version of this format, a letter for the compression, then the bytes. Its name
 * begins with the version too, so that processes with other versions of this package do not read it.
 */
const VERSION = 1;
const MAGIC = Buffer.from(['N', 'G', 'B'].map((letter) => letter.charCodeAt(0)).concat(VERSION));
const COMPRESSION_AT = MAGIC.byteLength;
const BYTES_AT = COMPRESSION_AT + 1;
const NONE = 'n'.charCodeAt(0);
const BROTLI = 'b'.charCodeAt(0);

/** The level of encoded pages in memory (bench/findings.md): a fraction of a render's CPU time. */
const LEVEL = 5;

const compress = promisify(brotliCompress);

/** The most bytes that a store may have of a body of this length. */
export function mostStoredBytes(length: number): number {
  return BYTES_AT + length;
}

/** SHA-256 of a body: of two bodies with one digest, a client who chooses a part of them could mix them up. */
export function bodyDigest(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}

/** The name of a body in its stores. */
export function bodyName(digest: Buffer): string {
  const hex = digest.toString('hex');
  return `${VERSION}/${hex.slice(0, 2)}/${hex.slice(2)}`;
}

/** A body as stores have it. Unless the server has, a thread of zlib compresses it, if that saves anything. */
export async function encodeBody({ body, brotli }: StoredPage): Promise<Buffer> {
  const compressed = brotli ?? (await compress(body, { params: paramsFor(body) }));
  const isSmaller = compressed.byteLength < body.byteLength;
  const kind = Buffer.of(isSmaller ? BROTLI : NONE);
  return Buffer.concat([MAGIC, kind, isSmaller ? compressed : body]);
}

function paramsFor({ byteLength }: Uint8Array): BrotliOptions['params'] {
  return {
    [constants.BROTLI_PARAM_QUALITY]: LEVEL,
    [constants.BROTLI_PARAM_SIZE_HINT]: byteLength,
  };
}

/** The Brotli bytes of what a store has; undefined if it is not compressed. */
export function brotliIn(stored: Uint8Array): Uint8Array | undefined {
  return stored[COMPRESSION_AT] === BROTLI ? stored.subarray(BYTES_AT) : undefined;
}

/** Reads what a store has. The bytes are untrusted: undefined if they are not exactly the body with this digest. */
export async function decodeBody(
  stored: Uint8Array,
  digest: Buffer,
  length: number,
): Promise<Uint8Array | undefined> {
  if (stored.byteLength < BYTES_AT || !MAGIC.equals(stored.subarray(0, COMPRESSION_AT))) {
    return undefined;
  }
  const bytes = stored.subarray(BYTES_AT);
  const kind = stored[COMPRESSION_AT];
  const body = kind === BROTLI ? await decodeBrotli(bytes, length) : bytes;
  if ((kind !== BROTLI && kind !== NONE) || body?.byteLength !== length) return undefined;
  return bodyDigest(body).equals(digest) ? body : undefined;
}
