import { guard, refusedHeaders } from '../../render/guarded-request.ts';
import type { RenderJob } from '../../render/render-job.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { RenderedMessage, RenderMessage } from './messages.ts';

/** A job as plain data: a structured clone takes no Request. */
export function toRenderMessage(
  id: number,
  { request, requestContext, name, calls: maker }: RenderJob,
): RenderMessage {
  const { url } = request;
  const headers = toList(request.headers);
  const refused = refusedHeaders(request);
  const calls = maker && { baseUrl: maker.baseUrl };
  return { kind: 'render', id, name, url, headers, refused, requestContext, calls };
}

/**
 * The job that {@link toRenderMessage} was given, without its calls. No async context of a request reaches a thread, but a
 * context that one render enters must not stay for the next, so it counts as shared.
 */
export function toRenderJob({
  name,
  url,
  headers,
  refused,
  requestContext,
}: RenderMessage): RenderJob {
  const request = new Request(url, { headers: toHeaders(headers) });
  const guarded = refused.length > 0 ? guard(request, refused) : request;
  return { request: guarded, requestContext, isShared: true, name };
}

/** A page as plain data. Its body is memory of its own, to be transferred. */
export function toRenderedMessage(
  id: number,
  { response, body, hasErrors = false }: Rendered,
): RenderedMessage {
  const { status } = response;
  const headers = toList(response.headers);
  return { kind: 'rendered', id, status, headers, body: ownMemory(body), hasErrors };
}

/** The page that {@link toRenderedMessage} was given. */
export function toRendered({ status, headers, body, hasErrors }: RenderedMessage): Rendered {
  return {
    response: { status, headers: toHeaders(headers) },
    body: Buffer.from(body),
    hasErrors,
  };
}

/** A part of a larger ArrayBuffer is copied: the rest of it may be other content, such as Node's pool of Buffers. */
function ownMemory({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const isWhole = buffer.byteLength === byteLength;
  return (isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}

/** Headers as plain data. */
export function toList(headers: Headers): string[] {
  const list: string[] = [];
  for (const [name, value] of headers) list.push(name, value);
  return list;
}

/** The headers that {@link toList} was given. */
export function toHeaders(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!);
  return headers;
}
