import { normalisePath } from '../target/normalise-path.ts';

/**
 * The normalised spelling of a path, or of a part of one, that a person has written: `/café` names
 * what is asked for as `/caf%c3%a9`.
 */
export function readWrittenPath(path: string): string {
  return normalisePath(path.replaceAll(/[^\x21-\x7e]+/g, escape));
}

function escape(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
