import { entityTag } from './index.ts';

function toBytes(body: Uint8Array | string, encoding?: BufferEncoding): Uint8Array | string {
  if (typeof body !== 'string' || encoding === undefined) return body;
  return encoding === 'utf8' || encoding === 'utf-8' ? body : Buffer.from(body, encoding);
}

/**
 * The function for Express's `etag` setting, weak as Express's own default.
 *
 * @param body what `res.send` sends
 * @param encoding how a string body becomes bytes; UTF-8 if absent
 * @throws TypeError `ERR_ETAG_BODY` if `body` is neither bytes nor a string
 *
 * @example
 * app.set('etag', weakEntityTag);
 */
export function weakEntityTag(body: Uint8Array | string, encoding?: BufferEncoding): string {
  return entityTag(toBytes(body, encoding), { weak: true });
}

/**
 * As `weakEntityTag`, in the strong form: for servers whose bodies no proxy or middleware, such as
 * compression, changes after `res.send`.
 *
 * @example
 * app.set('etag', strongEntityTag);
 */
export function strongEntityTag(body: Uint8Array | string, encoding?: BufferEncoding): string {
  return entityTag(toBytes(body, encoding));
}
