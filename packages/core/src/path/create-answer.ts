import { platform } from '#platform';
import type { Answer } from '../exchange.ts';
import { hasContent } from '../http/status.ts';
import { WORD } from '../pages/traits/page-traits.ts';

/**
 * An answer of a feature: with Content-Length and `Cache-Status: ng-ssr; detail=<name>`. Unless the headers say otherwise, it
 * has `Cache-Control: no-store`, and a string `Content-Type: text/plain; charset=utf-8`.
 *
 * @param name - Of the feature: a word.
 * @param content - Null for none, as in redirects. The server removes it from the answer to a HEAD.
 */
export function createAnswer(
  name: string,
  content: string | Uint8Array | null,
  { status = 200, headers = {} }: AnswerHead = {},
): Answer {
  const isText = typeof content === 'string';
  const bytes = isText ? platform.toBytes(content) : content;
  const body = hasContent(status) ? bytes : null;
  const own = new Headers(headers);
  if (!own.has('cache-control')) own.set('cache-control', 'no-store');
  if (isText && !own.has('content-type')) own.set('content-type', 'text/plain; charset=utf-8');
  own.set('content-length', String(body?.byteLength ?? 0));
  if (!hasContent(status)) own.delete('content-length');
  own.set('cache-status', `ng-ssr; detail=${WORD.test(name) ? name : 'feature'}`);
  return { status, headers: [...own].flat(), body };
}

/** The head of an answer. */
export interface AnswerHead {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
