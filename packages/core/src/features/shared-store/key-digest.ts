import { createHash } from 'node:crypto';

/**
 * The name of a key in a store, which logs and lists may show: a page's key may contain cookies and tokens.
 * SHA-256, because clients choose a part of the key, and must not be able to make two keys with the same
 * digest.
 */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/**
 * The part of a key that all pages of its path share, so that a store can bound how many there are: clients
 * choose queries. Undefined for the page with neither query nor variant.
 */
export function pathOfKey(key: string): string | undefined {
  const path = /^[^\n]*\n[^?\n]*/.exec(key)?.[0] ?? key;
  return path === key ? undefined : path;
}
