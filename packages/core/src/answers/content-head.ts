import { isCompressible } from '../http/content-type.ts';
import { readDirectives } from '../http/cache-control.ts';
import { addVary, type HeaderList, valuesOf } from '../http/header-list.ts';
import { hasContent } from '../http/status.ts';

/** A shorter page fits into one packet with its headers, so an encoding would not make it arrive sooner. */
export const LEAST_ENCODED_BYTES = 1024;

/** Headers about the exact bytes: of encoded content, of a part, or a digest. */
const OF_BYTES = [
  'content-encoding',
  'content-range',
  'content-digest',
  'content-md5',
  'repr-digest',
];

/** What the status and headers of a rendered page say about its content. */
export interface ContentHead {
  /** The values of its headers, by name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether the status allows content. */
  readonly hasContent: boolean;
  /** Whether the content shrinks when encoded. */
  readonly isText: boolean;
  /**
   * Whether this server may encode the content: complete, unencoded text without `no-transform` (RFC 9110
   * section 7.7, RFC 9111 section 5.2.2.6).
   */
  readonly isEncodable: boolean;
  /** The value of Vary for content that is encoded here. */
  readonly varyEncoded: string;
  /** Whether no cache may store it (RFC 9111 section 5.2.2.5). */
  readonly isNoStore: boolean;
}

/** Reads the headers once, for all that is decided about the content. */
export function readContentHead(status: number, headers: HeaderList): ContentHead {
  const values = valuesOf(headers);
  const varyEncoded = addVary(values.get('vary'), 'Accept-Encoding');
  let isWhole = status !== 206;
  for (const name of OF_BYTES) isWhole &&= !values.has(name);
  const directives = readDirectives(values.get('cache-control') ?? '');
  const isText = isCompressible(values.get('content-type') ?? '');
  const isWithContent = hasContent(status);
  return {
    values,
    hasContent: isWithContent,
    isText,
    isEncodable: isWithContent && isWhole && isText && !directives.has('no-transform'),
    varyEncoded,
    isNoStore: directives.has('no-store'),
  };
}
