import { ErrorReply } from '@redis/client';
import type { Commands } from './redis-node.ts';

const NO_VALUE = Buffer.alloc(0);

/** The value of a key, up to the size of an entry: another program may have written the key. */
export async function readValue(
  bytes: Commands['bytes'],
  key: string,
  maxBytes: number,
): Promise<Buffer> {
  try {
    const value = await bytes.getRange(key, 0, maxBytes);
    return value ?? NO_VALUE;
  } catch (error) {
    if (error instanceof ErrorReply && error.message.startsWith('WRONGTYPE')) return NO_VALUE;
    throw error;
  }
}
