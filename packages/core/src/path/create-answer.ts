import { platform } from '#platform';
import type { Answer } from '../exchange.ts';

/**
 * An answer of a feature: with Content-Length, `Cache-Status: ng-ssr; detail=<name>`, and `Cache-Control: no-store` unless the
 * headers say otherwise.
 *
 * @param name - Of the feature.
 * @param content - Null for none, as in redirects. The server removes it from the answer to a HEAD.
 */
export function createAnswer(
  name: string,
  content: string | Uint8Array | null,
  { status = 200, headers = {} }: AnswerHead = {},
): Answer {
  const body = typeof content === 'string' ? platform.toBytes(content) : content;
  const own = new Headers({ 'cache-control': 'no-store', ...headers });
  own.set('content-length', String(body?.byteLength ?? 0));
  own.set('cache-status', `ng-ssr; detail=${name}`);
  return { status, headers: [...own].flat(), body };
}

/** The head of an answer. */
export interface AnswerHead {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
