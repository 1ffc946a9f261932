import type { CallRequest } from '../call-request.ts';
import type { HeldCall } from './held-call.ts';

/** Whether a stored response can be validated (RFC 9111 section 4.3.1). */
export function isValidatable(held: HeldCall | undefined): held is HeldCall {
  return held !== undefined && (held.etag ?? held.lastModified) !== undefined;
}

/** The call with the validators of a stored response, so that the API may answer 304. */
export function toConditional(call: CallRequest, { etag, lastModified }: HeldCall): CallRequest {
  const headers = new Headers(call.headers);
  if (etag !== undefined) headers.set('if-none-match', etag);
  if (lastModified !== undefined) headers.set('if-modified-since', lastModified);
  return { ...call, headers };
}

/** Whether a 304 is about a stored response: it names no other validator (section 4.3.3). */
export function confirms(notModified: Headers, held: HeldCall): boolean {
  const etag = notModified.get('etag');
  return etag === null || opaque(etag) === opaque(held.etag ?? etag);
}

/** Headers of a stored response that a 304 leaves as they are: they describe the content. */
const OF_THE_CONTENT = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
]);

/** The stored headers, updated by those of a 304 (section 3.2). */
export function freshen(held: HeldCall, notModified: Headers): Headers {
  const headers = new Headers();
  const { headers: list } = held.page;
  for (let i = 0; i < list.length; i += 2) {
    // An old Date would make the response old.
    if (list[i]!.toLowerCase() !== 'date') headers.append(list[i]!, list[i + 1]!);
  }
  const updates = [...notModified].filter(([name]) => !OF_THE_CONTENT.has(name));
  for (const [name] of updates) headers.delete(name);
  for (const [name, value] of updates) headers.append(name, value);
  return headers;
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, '');
}
