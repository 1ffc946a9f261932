import { SsrError } from './errors.ts';
import type { Exchange } from './exchange.ts';

/**
 * The content that a client has sent to an endpoint of the server's own.
 *
 * @returns undefined when it is longer than `maxBytes`, and when the client has left before its end: that is no
 * failure of the server.
 * @throws SsrError of an adapter, when code of the user's has read it.
 */
export async function sentContent(
  exchange: Exchange,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    return await exchange.content(maxBytes);
  } catch (error) {
    if (error instanceof SsrError) throw error;
    return undefined;
  }
}
