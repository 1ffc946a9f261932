import { platform } from '#platform';
import { normalisePath } from '../../http/target.ts';

/**
 * Normalises a path, or part of one, from an option or a purge: requests spell `/café` as
 * `/caf%c3%a9`.
 */
export function readWrittenPath(path: string): string {
  return normalisePath(path.replaceAll(/[^\x21-\x7e]+/g, escape));
}

function escape(text: string): string {
  return Array.from(
    platform.toBytes(text),
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
