import { trimOws } from './optional-whitespace.ts';

/** A satisfiable byte range, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a Range header of one byte range (RFC 9110 section 14.1.2).
 *
 * @param value - The header's value.
 * @param length - The length of the selected representation in bytes.
 * @returns the range; `'unsatisfiable'` for a 416; undefined when the header must be ignored: another unit,
 * several ranges, not well-formed, or a suffix range of empty content.
 */
export function parseRange(value: string, length: number): ByteRange | 'unsatisfiable' | undefined {
  if (!value.toLowerCase().startsWith('bytes=')) return undefined;
  const spec = trimOws(value.slice(6));
  const dash = spec.indexOf('-');
  if (dash === -1) return undefined;
  const first = toPosition(spec.slice(0, dash));
  const last = toPosition(spec.slice(dash + 1));
  if (first === undefined || last === undefined) return undefined;

  if (first === '') {
    if (last === '') return undefined;
    if (last === 0) return 'unsatisfiable';
    // Satisfiable, but Content-Range cannot name a part of empty content.
    if (length === 0) return undefined;
    return { first: Math.max(0, length - last), last: length - 1 };
  }
  if (last !== '' && last < first) return undefined;
  if (first >= length) return 'unsatisfiable';
  return { first, last: last === '' ? length - 1 : Math.min(last, length - 1) };
}

/** A position in decimal, '' when left out, undefined when it is no number. */
function toPosition(text: string): number | '' | undefined {
  if (text === '') return '';
  if (text.length > 15) return undefined;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return undefined;
  }
  return Number(text);
}
