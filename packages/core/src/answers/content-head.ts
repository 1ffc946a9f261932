import { isCompressible } from '../http/content-type.ts';
import { readDirectives } from '../http/cache-control.ts';
import { addVary, type HeaderList, valuesOf } from '../http/header-list.ts';
import { hasContent } from '../http/status.ts';

/** A shorter page fits into one packet with its fields, so a coding would not make it arrive sooner. */
export const LEAST_CODED_BYTES = 1024;

/** Fields about the exact bytes: of coded content, of a part, or a digest. */
const OF_BYTES = [
  'content-encoding',
  'content-range',
  'content-digest',
  'content-md5',
  'repr-digest',
];

/** What the status and fields of a rendered page say about its content. */
export interface ContentHead {
  /** The values of its fields, by name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether the status allows content. */
  readonly hasContent: boolean;
  /** Whether the content shrinks when coded. */
  readonly isText: boolean;
  /**
   * Whether this server may code the content: complete, uncoded text without `no-transform` (RFC 9110
   * section 7.7, RFC 9111 section 5.2.2.6).
   */
  readonly isCodable: boolean;
  /** The value of Vary for content that is coded here. */
  readonly varyCoded: string;
  /** Whether no cache may store it (RFC 9111 section 5.2.2.5). */
  readonly isNoStore: boolean;
}

/** Reads the fields once, for all that is decided about the content. */
export function readContentHead(status: number, headers: HeaderList): ContentHead {
  const values = valuesOf(headers);
  const varyCoded = addVary(values.get('vary'), 'Accept-Encoding');
  let isWhole = status !== 206;
  for (const name of OF_BYTES) isWhole &&= !values.has(name);
  const directives = readDirectives(values.get('cache-control') ?? '');
  const isText = isCompressible(values.get('content-type') ?? '');
  const isWithContent = hasContent(status);
  return {
    values,
    hasContent: isWithContent,
    isText,
    isCodable: isWithContent && isWhole && isText && !directives.has('no-transform'),
    varyCoded,
    isNoStore: directives.has('no-store'),
  };
}
