import type { StoredPage } from '@ng-ssr/core';

/*
 * The index has pages with a frame in place of their body. Numbers have their most significant byte first:
 *
 *   whole  0, the number of offsets for nonces, the offsets, the body
 *   stub   1, the digest of the body, its length, the offsets for nonces
 *   none   2
 *
 * Offsets are in the frame, because an index checks that they are in the body that it has. An empty body has no frame:
 * of a 204, an index refuses any other.
 */
const WHOLE = 0;
const STUB = 1;
const NONE = 2;
const DIGEST_AT = 1;
const LENGTH_AT = DIGEST_AT + 32;
const STUB_OFFSETS_AT = LENGTH_AT + 4;
const COUNT_AT = 1;
const OFFSETS_AT = COUNT_AT + 4;

/** Which body a page has that is not in the index. */
export interface Stub {
  readonly digest: Buffer;
  readonly length: number;
}

/** A page of the index: with its body, or with a stub in place of it. */
export interface Framed {
  /** With its body, or with an empty one. */
  readonly page: StoredPage;
  readonly stub: Stub | undefined;
}

export function frameWhole(page: StoredPage): StoredPage {
  const { body, nonceAt } = page;
  if (body.byteLength === 0) return page;
  const offsets = nonceAt ?? [];
  const count = Buffer.alloc(4);
  count.writeUInt32BE(nonceAt === undefined ? 0 : offsets.length + 1);
  return framed(page, Buffer.concat([Buffer.of(WHOLE), count, toBytes(offsets), body]));
}

export function frameStub(page: StoredPage, { digest, length }: Stub): StoredPage {
  const lengthBytes = toBytes([length]);
  const offsets = page.nonceAt === undefined ? [] : [page.nonceAt.length, ...page.nonceAt];
  const frame = Buffer.concat([Buffer.of(STUB), digest, lengthBytes, toBytes(offsets)]);
  return framed(page, frame);
}

/** A page without its content, which only notes its path in the index. */
export function frameNone(page: StoredPage): StoredPage {
  return { ...framed(page, Buffer.of(NONE)), headers: [], status: 200 };
}

/** Reads a page of the index; undefined if it is not one of this format. */
export function readFrame(page: StoredPage): Framed | undefined {
  const { byteLength, buffer, byteOffset } = page.body;
  if (byteLength === 0) return { page, stub: undefined };
  const frame = Buffer.from(buffer, byteOffset, byteLength);
  if (frame[0] === WHOLE && byteLength >= OFFSETS_AT) {
    // One more than there are; 0 for a page without nonces.
    const count = frame.readUInt32BE(COUNT_AT);
    const bodyAt = OFFSETS_AT + 4 * Math.max(0, count - 1);
    if (bodyAt > byteLength) return undefined;
    const nonceAt = count === 0 ? undefined : toNumbers(frame.subarray(OFFSETS_AT, bodyAt));
    return {
      page: withBody(page, new Uint8Array(frame.subarray(bodyAt)), nonceAt),
      stub: undefined,
    };
  }
  if (frame[0] !== STUB || byteLength < STUB_OFFSETS_AT) return undefined;
  const [count, ...offsets] = toNumbers(frame.subarray(STUB_OFFSETS_AT));
  if (count !== undefined && count !== offsets.length) return undefined;
  const stub = {
    digest: Buffer.from(frame.subarray(DIGEST_AT, LENGTH_AT)),
    length: frame.readUInt32BE(LENGTH_AT),
  };
  return { page: withBody(page, NO_BYTES, count === undefined ? undefined : offsets), stub };
}

function withBody(
  page: StoredPage,
  body: Uint8Array,
  nonceAt: readonly number[] | undefined,
): StoredPage {
  return { ...page, body, ...(nonceAt !== undefined && { nonceAt }) };
}

const NO_BYTES = new Uint8Array(0);

function framed(page: StoredPage, body: Buffer): StoredPage {
  return { ...page, body, brotli: undefined, nonceAt: undefined };
}

function toBytes(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at);
  return bytes;
}

function toNumbers(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, at) =>
    bytes.readUInt32BE(4 * at),
  );
}
