import { isCompressible } from '../http/content-type.ts';
import { hasDirective } from '../http/cache-control.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
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

/**
 * Whether this server may code the content of a rendered page: complete, uncoded text without
 * `no-transform` (RFC 9110 section 7.7, RFC 9111 section 5.2.2.6).
 */
export function isCodable(status: number, headers: HeaderList): boolean {
  if (!hasContent(status) || status === 206) return false;
  const type = valueOf(headers, 'content-type');
  if (type === undefined || !isCompressible(type)) return false;
  if (OF_BYTES.some((name) => valueOf(headers, name) !== undefined)) return false;
  return !hasDirective(valueOf(headers, 'cache-control'), 'no-transform');
}
