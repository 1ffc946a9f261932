import { SsrError, type SsrErrorCode } from './errors.ts';
import type { Exchange } from './exchange.ts';

const MOST_BYTES = 16 * 1024;

/**
 * The content that a client has sent to an endpoint of the server's own.
 *
 * @returns undefined when it is longer than 16 KiB, and when the client has left before its end: that is no
 * failure of the server.
 * @throws SsrError of an adapter, when code of the user's has read it.
 */
export async function sentContent(exchange: Exchange): Promise<Uint8Array | undefined> {
  try {
    return await exchange.content(MOST_BYTES);
  } catch (error) {
    if (error instanceof SsrError) throw error;
    return undefined;
  }
}

/**
 * The JSON that a client has sent.
 *
 * @param subject - As messages name the request: `a purge request`.
 * @throws SsrError of this code for other content, and as {@link sentContent}.
 */
export async function sentJson(
  exchange: Exchange,
  subject: string,
  code: SsrErrorCode,
): Promise<unknown> {
  const content = await sentContent(exchange);
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    const message = `the content of ${subject} must be JSON of at most ${MOST_BYTES / 1024} KiB`;
    throw new SsrError(code, message);
  }
}
