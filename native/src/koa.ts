import { stat } from 'node:fs/promises';
import { Stream } from 'node:stream';

import { entityTag, type EntityTagOptions } from './index.ts';

/** The part of Koa's context that is used, so that no version of Koa's types is needed. */
export interface KoaContext {
  status: number;
  body: unknown;
  response: { get(header: string): unknown; etag: string };
}

/**
 * Middleware that replaces koa-etag: sets `ETag` on answers of status 2xx that have a body and no
 * `ETag` yet. Put it after koa-conditional-get, as koa-etag.
 *
 * Strings, Buffers and values that Koa sends as JSON get the tag of their bytes. File streams get koa-etag's
 * weak tag of size and modification time, unchanged. Other streams, Blobs and Responses get none.
 *
 * @param options `weak: true` for weak tags of bytes, `weak: false` for strong ones of file streams;
 * checked at once
 * @throws TypeError `ERR_ETAG_OPTIONS` if `weak` is not a boolean
 *
 * @example
 * app.use(conditionalGet());
 * app.use(etag());
 */
export function etag(
  options: EntityTagOptions = {},
): (context: KoaContext, next: () => Promise<unknown>) => Promise<void> {
  entityTag('', options);
  const bytesAre = { weak: options.weak ?? false };
  const filesAre = { weak: options.weak ?? true };
  return async (context, next) => {
    await next();
    const { body, response } = context;
    if (!body || Math.trunc(context.status / 100) !== 2 || response.get('ETag')) return;
    let tag: string | undefined;
    if (typeof body === 'string' || Buffer.isBuffer(body)) tag = entityTag(body, bytesAre);
    else if (body instanceof Stream) tag = await fileTag(body, filesAre.weak);
    else if (!isWebBody(body)) {
      const json = JSON.stringify(body) as string | undefined;
      if (json !== undefined) tag = entityTag(json, bytesAre);
    }
    if (tag !== undefined) response.etag = tag;
  };
}

/** koa-etag's form, so that caches stay valid when one replaces the other. */
async function fileTag(stream: Stream, weak: boolean): Promise<string | undefined> {
  const path = 'path' in stream ? stream.path : undefined;
  if (typeof path !== 'string') return undefined;
  // Koa listens for stream errors only while it sends; a stream that fails earlier, during this wait,
  // would end the process. Koa later finds the failed stream and answers for it.
  const ignore = () => {};
  stream.on('error', ignore);
  try {
    const file = await stat(path);
    if (!file.isFile()) return undefined;
    const tag = `"${file.size.toString(16)}-${file.mtime.getTime().toString(16)}"`;
    return weak ? `W/${tag}` : tag;
  } catch {
    return undefined;
  } finally {
    stream.off('error', ignore);
  }
}

function isWebBody(body: unknown): boolean {
  return body instanceof ReadableStream || body instanceof Blob || body instanceof Response;
}
