import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  contentTypeOf,
  evaluatePreconditions,
  type LargeFile,
  refuse,
  toHttpDate,
  toNotModifiedFields,
} from '@ng-ssr/core';
import type { FetchExchange } from './fetch-exchange.ts';
import { type EarlierResponse, toResponse } from './to-response.ts';

/**
 * Sends a file that is not held, from the disk: with its validators, as a 304, or in part. The file
 * is opened when the content is asked for and closed when the client leaves.
 *
 * @param earlier - Fields beside its own.
 */
export async function sendLargeFile(
  browserFolder: string,
  { path, headers, range }: LargeFile,
  exchange: FetchExchange,
  earlier: EarlierResponse | undefined,
): Promise<Response> {
  const { method, status } = exchange;
  const absolutePath = join(browserFolder, path);
  const { size, mtimeMs } = await stat(absolutePath);
  const lastModifiedMs = Math.floor(mtimeMs / 1000) * 1000;
  const etag = `W/"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  const fields = [...headers, 'Content-Type', contentTypeOf(path), 'Accept-Ranges', 'bytes'];
  fields.push('ETag', etag, 'Last-Modified', toHttpDate(lastModifiedMs));

  // Preconditions and ranges only apply where the answer would be a 200.
  const isPlain = status === 200;
  switch (isPlain ? evaluatePreconditions({ etag, lastModifiedMs }, exchange) : 'passed') {
    case 'failed':
      return toResponse(refuse('NG_SSR_PRECONDITION_FAILED', method), earlier);
    case 'not-modified':
      return toResponse({ status: 304, headers: toNotModifiedFields(fields), body: null }, earlier);
    case 'passed':
  }
  const part = isPlain && range !== undefined && range.last < size ? range : undefined;
  const { first, last } = part ?? { first: 0, last: size - 1 };
  fields.push('Content-Length', String(last - first + 1));
  if (part !== undefined) fields.push('Content-Range', `bytes ${first}-${last}/${size}`);
  const answer = { status: part === undefined ? status : 206, headers: fields, body: null };
  const content = method === 'HEAD' ? null : readFrom(absolutePath, first, last);
  return toResponse(answer, earlier, (_, init) => new Response(content, init));
}

/** The global of Bun, as far as it is used. */
const { Bun } = globalThis as { Bun?: { file(path: string): Blob } };

/** Both ends included. Bun gives a stream no Content-Length, and a file of its own one. */
function readFrom(path: string, first: number, last: number): ReadableStream | Blob {
  if (Bun !== undefined) return Bun.file(path).slice(first, last + 1);
  return Readable.toWeb(createReadStream(path, { start: first, end: last })) as ReadableStream;
}
