import { describe, withCode } from './errors.ts';
import type { TagWriter } from './tag-writer.ts';

/** The form of the tag. */
export interface EntityTagOptions {
  /**
   * `true` for a weak validator, `W/"…"`: equal tags then promise equivalent, not identical bytes.
   * Default `false`, the strong form.
   */
  weak?: boolean;
}

/**
 * Makes the ETag of a representation (RFC 9110 section 8.8.3) from its bytes.
 *
 * The tag is XXH3-64 of the bytes, most significant byte first, in base64url: always 11 characters
 * between the quotes, the same on every machine and in every version of this package. A string
 * stands for its UTF-8 bytes, a lone surrogate for U+FFFD, as in `Buffer.from(string)`.
 *
 * XXH3 is fast and not cryptographic: an attacker who chooses the bytes can make two bodies with one
 * tag. The tag detects changes of the bytes; it does not authenticate them.
 *
 * @param body the bytes that are sent, of any length: a Uint8Array (so any Buffer) or a string
 * @param options `weak` for the weak form
 * @returns the header value, quotes included
 * @throws TypeError `ERR_ETAG_BODY` if `body` is neither; `ERR_ETAG_OPTIONS` if `options` is not an
 * object or `weak` not a boolean
 *
 * @example
 * entityTag('Hello'); // '"…11 characters…"'
 * entityTag(bytes, { weak: true }); // 'W/"…"'
 */
export type EntityTag = (body: Uint8Array | string, options?: EntityTagOptions) => string;

function isBytes(value: unknown): value is Uint8Array {
  // By name as well: Uint8Arrays of another realm (vm contexts, test runners) are no instances.
  return (
    value instanceof Uint8Array ||
    (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]')
  );
}

function isWeak(options: EntityTagOptions): boolean {
  if (typeof options !== 'object' || options === null) {
    throw withCode(
      new TypeError(`options must be an object or undefined; received ${describe(options)}.`),
      'ERR_ETAG_OPTIONS',
    );
  }
  const { weak } = options;
  if (weak !== undefined && typeof weak !== 'boolean') {
    throw withCode(
      new TypeError(`options.weak must be true, false or undefined; received ${describe(weak)}.`),
      'ERR_ETAG_OPTIONS',
    );
  }
  return weak === true;
}

export function createEntityTag(write: TagWriter): EntityTag {
  return (body, options) => {
    if (typeof body !== 'string' && !isBytes(body)) {
      throw withCode(
        new TypeError(`body must be a Uint8Array or a string; received ${describe(body)}.`),
        'ERR_ETAG_BODY',
      );
    }
    return write(body, options !== undefined && isWeak(options));
  };
}
