import { entityTag } from '#etag';
import { inOwnMemory } from '../../shared-bytes.ts';
import { isStoredPage, isVariants } from './check-entry.ts';
import { decodeBrotli } from './decode-brotli.ts';
import { digestOf } from './key-digest.ts';
import type { StoredPage } from '../../pages/stored-page.ts';
import type { StoredEntry } from './page-store.ts';

/*
 * An entry as one value, numbers with their most significant byte first:
 *
 *    0  `NGSR` and the version of this format
 *    5  XXH3-64 of all that follows, as base64url
 *   16  the version of the latest purge when the render began, as a double
 *   24  time from generation until the entry expires, in milliseconds, as a double
 *   32  the length of the metadata
 *   36  the length of the bytes of the body
 *   40  the metadata as JSON, then the bytes: the body itself, or in Brotli if the metadata has its `length`
 *
 * The scripts for Redis read the numbers at 16 and 24. The age of the entry is the number at 24 minus its
 * remaining lifetime: it depends on the clock of the store alone, not on those of writers and readers.
 */
/** The first bytes of every value: the name of this format and its version. */
export const MAGIC = 'NGSR\x03';
const NO_BYTES = new Uint8Array(0);
const CHECKSUM_AT = 5;
const VERSION_AT = 16;
const LIFE_AT = 24;
const METADATA_LENGTH_AT = 32;
const BODY_LENGTH_AT = 36;
const METADATA_AT = 40;

/** The longest lifetime of an entry in a store. In milliseconds: seven days. */
export const MAX_ENTRY_MS: number = 7 * 24 * 60 * 60 * 1000;

/** An entry read from a store. */
export interface DecodedEntry {
  readonly entry: StoredEntry;
  /** The version of the latest purge when the render began. */
  readonly version: number;
}

/**
 * Writes an entry as one value, its body in Brotli if it has that.
 *
 * @param lifetimeMs - The time after which it can no longer be used.
 * @returns undefined if it would be longer than `maxBytes` without Brotli.
 */
export function encodeEntry(
  key: string,
  entry: StoredEntry,
  version: number,
  lifetimeMs: number,
  maxBytes: number,
): Buffer | undefined {
  const isPage = 'body' in entry;
  const bodyLength = isPage ? entry.body.byteLength : 0;
  if (METADATA_AT + bodyLength > maxBytes) return undefined;
  const brotli = isPage ? entry.brotli : undefined;
  const length = brotli && bodyLength;
  const apart = { body: undefined, brotli: undefined, dateMs: undefined };
  const metadata = Buffer.from(JSON.stringify({ ...entry, ...apart, key: digestOf(key), length }));
  const ageMs = isPage ? Math.max(0, Math.round(Date.now() - entry.dateMs)) : 0;
  const bodyAt = METADATA_AT + metadata.byteLength;
  if (bodyAt + bodyLength > maxBytes) return undefined;
  const bytes = isPage ? (brotli ?? entry.body) : NO_BYTES;
  const value = Buffer.allocUnsafe(bodyAt + bytes.byteLength);
  value.write(MAGIC, 'latin1');
  value.writeDoubleBE(version, VERSION_AT);
  value.writeDoubleBE(lifetimeMs + ageMs, LIFE_AT);
  value.writeUInt32BE(metadata.byteLength, METADATA_LENGTH_AT);
  value.writeUInt32BE(bytes.byteLength, BODY_LENGTH_AT);
  value.set(metadata, METADATA_AT);
  value.set(bytes, bodyAt);
  value.write(checksumOf(value), CHECKSUM_AT, 'latin1');
  return value;
}

/**
 * Reads an entry. The bytes are untrusted: it never rejects, and resolves to undefined for a value that is
 * not exactly an entry of this key.
 *
 * @param leftMs - The remaining lifetime of the entry; negative for one that does not expire.
 * @param maxBytes - The most bytes of a body, decoded.
 */
export async function decodeEntry(
  key: string,
  value: Buffer,
  leftMs: number,
  maxBytes: number,
): Promise<DecodedEntry | undefined> {
  if (value.byteLength < METADATA_AT) return undefined;
  if (value.toString('latin1', 0, CHECKSUM_AT) !== MAGIC) return undefined;
  const bodyAt = METADATA_AT + value.readUInt32BE(METADATA_LENGTH_AT);
  if (bodyAt + value.readUInt32BE(BODY_LENGTH_AT) !== value.byteLength) return undefined;
  if (value.toString('latin1', CHECKSUM_AT, VERSION_AT) !== checksumOf(value)) return undefined;
  const metadata = parseObject(value.toString('utf8', METADATA_AT, bodyAt));
  const version = value.readDoubleBE(VERSION_AT);
  const ageMs = value.readDoubleBE(LIFE_AT) - leftMs;
  if (metadata?.['key'] !== digestOf(key) || !isNumber(version)) return undefined;
  if (!isNumber(leftMs) || !isNumber(ageMs)) return undefined;
  if ('vary' in metadata) {
    return isVariants(metadata) ? { entry: { vary: metadata.vary }, version } : undefined;
  }
  const dateMs = Date.now() - ageMs;
  const bytes = inOwnMemory(value.subarray(bodyAt));
  const { length } = metadata;
  let content: Pick<StoredPage, 'body' | 'brotli'> = { body: bytes };
  if (length !== undefined) {
    if (!Number.isInteger(length) || !((length as number) <= maxBytes)) return undefined;
    const body = await decodeBrotli(bytes, length as number);
    if (body === undefined) return undefined;
    content = { body, brotli: bytes };
  }
  const page = toPage(metadata, content, dateMs);
  return page && { entry: page, version };
}

function checksumOf(value: Buffer): string {
  return entityTag(value.subarray(VERSION_AT)).slice(1, -1);
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toPage(
  metadata: Record<string, unknown>,
  content: Pick<StoredPage, 'body' | 'brotli'>,
  dateMs: number,
): StoredPage | undefined {
  const { status, headers, path, tags, nonceAt } = metadata;
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = metadata;
  const page: unknown = {
    ...{ status, headers, ...content, path, tags, dateMs },
    ...(nonceAt !== undefined && { nonceAt }),
    ...{ freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds },
  };
  return isStoredPage(page) ? page : undefined;
}

function isNumber(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
