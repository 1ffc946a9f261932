import { contentTypeOf, isCompressible } from '../http/content-type.ts';

/**
 * Whether a built file is worth encoding. Source maps are not: they are several times as large as their scripts, and
 * only developer tools request them.
 *
 * @param path - Its name is enough.
 */
export function isEncodableFile(path: string): boolean {
  return !path.endsWith('.map') && isCompressible(contentTypeOf(path));
}
