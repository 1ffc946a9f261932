import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';
import { expect } from 'vitest';
import type { CaseContext } from './case-context.ts';
import { type ClientResponse, headerOf } from './client.ts';
import { POLL } from './stored-expectations.ts';

/** The Accept-Encoding of browsers that have a dictionary. */
export const WITH_DICTIONARY = 'gzip, deflate, br, zstd, dcb, dcz';

/** What each encoding begins with, before the SHA-256 of the dictionary (RFC 9842 sections 4 and 5). */
const MAGIC = { dcb: 'ff444342', dcz: '5e2a4d1820000000' } as const;

/** The value of Available-Dictionary for content that a client has. */
export function nameOf(dictionary: Uint8Array): string {
  return `:${createHash('sha256').update(dictionary).digest('base64')}:`;
}

/** The request headers of a client that has a dictionary. */
export function having(dictionary: Uint8Array, encoding = WITH_DICTIONARY): Record<string, string> {
  return { 'accept-encoding': encoding, 'available-dictionary': nameOf(dictionary) };
}

/**
 * Decodes content that was encoded against a dictionary, as a client does: the hash in it must be that of the
 * dictionary that the client has named.
 */
export function decodeWith(dictionary: Uint8Array, response: ClientResponse): Buffer {
  const encoding = headerOf(response, 'content-encoding') as keyof typeof MAGIC;
  const digest = createHash('sha256').update(dictionary).digest('hex');
  const head = MAGIC[encoding] + digest;
  expect(response.body.toString('hex', 0, head.length / 2)).toBe(head);
  const stream = response.body.subarray(head.length / 2);
  // Node's types have the option for Zstandard alone.
  const options = { dictionary } as zlib.BrotliOptions & zlib.ZstdOptions;
  return encoding === 'dcb'
    ? zlib.brotliDecompressSync(stream, options)
    : zlib.zstdDecompressSync(stream, options);
}

/** Requests a page until it comes in an encoding with the dictionary. */
export async function untilEncodedWith(
  { get }: Pick<CaseContext, 'get'>,
  target: string,
  headers: Readonly<Record<string, string>>,
  encoding = 'dcb',
): Promise<ClientResponse> {
  const poll = async () => {
    const response = await get(target, headers);
    return headerOf(response, 'content-encoding') === encoding ? response : undefined;
  };
  await expect.poll(poll, POLL).toBeDefined();
  return (await poll())!;
}
