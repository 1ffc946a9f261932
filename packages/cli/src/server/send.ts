import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { SsrError } from '@ng-ssr/core/pack';

/** A request; with content it is a POST. */
export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A state with five minutes of history has some 100 kB. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Sends a request and reads its answer. Redirects are not followed: the token is for this server only. In contrast to
 * `fetch` it sends the Host header that it is given.
 */
export async function send(
  url: string,
  { headers, body, timeoutMs }: SentRequest,
): Promise<ReceivedAnswer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(url, { method, headers, signal, agent: false });
  sent.end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const content = await read(response, url);
    return { status: response.statusCode ?? 0, headers: response.headers, text: content };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

async function read(response: IncomingMessage, url: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) {
      throw new SsrError('NG_SSR_SERVER_ANSWER_INVALID', `${url} responded with more than 16 MiB`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
