import { SsrError } from '../errors.ts';
import { connectionHeaders } from '../http/header-list.ts';
import { HEADER_VALUE } from '../http/header-syntax.ts';
import { isFinalStatus } from '../http/status.ts';

/** A response without its content. */
export type ResponseHead = Pick<Response, 'status' | 'headers'>;

/**
 * The head of an engine's response as every server can send it and any cache can store it: without the headers
 * of the engine's own connections, without Content-Length, which is computed later, and without a
 * Content-Encoding that no longer applies to the content.
 *
 * @throws SsrError `NG_SSR_RESPONSE_INVALID` for a status or a header value that cannot be sent: the page is
 * wrong, and to send a part of its headers could be worse than to send none (RFC 9110 section 5.5).
 */
export function toSendable(response: Response, body: Uint8Array, name: string): ResponseHead {
  const { status } = response;
  if (!isFinalStatus(status)) {
    throw new SsrError(
      'NG_SSR_RESPONSE_INVALID',
      `${name}: the engine's status is ${status}; allowed: 200 to 599`,
    );
  }
  const { headers } = response;
  const ofConnection = connectionHeaders(headers.get('connection'));
  const dropped: string[] = [];
  for (const [header, value] of headers) {
    if (header === 'content-length' || ofConnection.has(header)) dropped.push(header);
    else if (!HEADER_VALUE.test(value)) {
      const message = `${name}: the response header ${header} has a character that cannot be sent`;
      throw new SsrError('NG_SSR_RESPONSE_INVALID', message);
    }
  }
  const encoding = headers.get('content-encoding');
  const isEncodingGone = encoding !== null && isDecoded(encoding, response.url, body);
  if (dropped.length === 0 && !isEncodingGone) return { status, headers };
  // The headers of a fetched response are immutable.
  const kept = new Headers(headers);
  for (const header of dropped) kept.delete(header);
  if (isEncodingGone) removeEncoding(kept);
  return { status, headers: kept };
}

/** Encodings that `fetch()` decodes. */
const DECODED_BY_FETCH = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

/** The bytes that content in an encoding begins with, for encodings that define them. */
const MAGIC_NUMBERS: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  'x-gzip': [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/**
 * Whether the content is already decoded: `fetch()` decodes it and leaves Content-Encoding. This shows in the
 * first bytes of the content or, for other encodings, in the URL that only a fetched Response has.
 *
 * @param header - The value of Content-Encoding.
 */
function isDecoded(header: string, url: string, body: Uint8Array): boolean {
  const encodings = header.split(',').map((encoding) => encoding.trim().toLowerCase());
  const applied = encodings.filter((encoding) => encoding !== '' && encoding !== 'identity');
  const outermost = applied.at(-1);
  if (outermost === undefined || body.byteLength === 0) return true;
  if (!applied.every((encoding) => DECODED_BY_FETCH.has(encoding))) return false;
  const beginning = MAGIC_NUMBERS[outermost];
  return beginning === undefined ? url !== '' : beginning.some((byte, at) => body[at] !== byte);
}

/** A strong ETag and digests were those of the encoded bytes (RFC 9110 section 8.8.1, RFC 9530). */
function removeEncoding(headers: Headers): void {
  for (const name of ['content-encoding', 'content-md5', 'content-digest', 'repr-digest']) {
    headers.delete(name);
  }
  const etag = headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`);
}
