import { entityTag } from '#etag';
import { inOwnMemory } from '../../shared-bytes.ts';
import { isStoredPage, isVariants } from './check-entry.ts';
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
 *   36  the length of the body
 *   40  the metadata as JSON, then the body
 *
 * The scripts for Redis read the numbers at 16 and 24. The age of the entry is the number at 24 minus its
 * remaining lifetime: it depends on the clock of the store alone, not on those of writers and readers.
 */
/** The first bytes of every value: the name of this format and its version. */
export const MAGIC = 'NGSR\x02';
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
 * Writes an entry as one value.
 *
 * @param lifetimeMs - The time after which it can no longer be used.
 * @returns undefined if it would be longer than `maxBytes`.
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
  const metadata = Buffer.from(
    JSON.stringify({ ...entry, key: digestOf(key), body: undefined, dateMs: undefined }),
  );
  const ageMs = isPage ? Math.max(0, Math.round(Date.now() - entry.dateMs)) : 0;
  const bodyAt = METADATA_AT + metadata.byteLength;
  if (bodyAt + bodyLength > maxBytes) return undefined;
  const value = Buffer.allocUnsafe(bodyAt + bodyLength);
  value.write(MAGIC, 'latin1');
  value.writeDoubleBE(version, VERSION_AT);
  value.writeDoubleBE(lifetimeMs + ageMs, LIFE_AT);
  value.writeUInt32BE(metadata.byteLength, METADATA_LENGTH_AT);
  value.writeUInt32BE(bodyLength, BODY_LENGTH_AT);
  value.set(metadata, METADATA_AT);
  if (isPage) value.set(entry.body, bodyAt);
  value.write(checksumOf(value), CHECKSUM_AT, 'latin1');
  return value;
}

/**
 * Reads an entry. The bytes are untrusted: it never throws, and returns undefined for a value that is
 * not exactly an entry of this key.
 *
 * @param leftMs - The remaining lifetime of the entry; negative for one that does not expire.
 */
export function decodeEntry(key: string, value: Buffer, leftMs: number): DecodedEntry | undefined {
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
  const page = toPage(metadata, inOwnMemory(value.subarray(bodyAt)), Date.now() - ageMs);
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
  body: Uint8Array,
  dateMs: number,
): StoredPage | undefined {
  const { status, headers, path, tags, nonceAt } = metadata;
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = metadata;
  const page: unknown = {
    ...{ status, headers, body, path, tags, dateMs },
    ...(nonceAt !== undefined && { nonceAt }),
    ...{ freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds },
  };
  return isStoredPage(page) ? page : undefined;
}

function isNumber(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
