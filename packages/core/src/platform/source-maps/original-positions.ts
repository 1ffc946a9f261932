/** A place in a file: lines and columns count from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A place in a file of the source. */
export interface OriginalPosition extends Position {
  /** Which of the map's sources, from 0. */
  readonly source: number;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;
const CONTINUES = 32;
const COMMA = 44;
const SEMICOLON = 59;

/**
 * Finds places of a bundle in its sources (ECMA-426, `mappings`). The text is read once up to the last place, and
 * nothing of it is kept.
 *
 * @param places - In any order.
 * @returns for each place its original; undefined where the map has none.
 */
export function findOriginals(
  mappings: string,
  places: readonly Position[],
): readonly (OriginalPosition | undefined)[] {
  const found: (OriginalPosition | undefined)[] = places.map(() => undefined);
  const lastLine = Math.max(...places.map(({ line }) => line));
  /** Column in the bundle; source, line and column in it. The last three go on over lines. */
  const fields = [0, 0, 0, 0, 0];
  for (let at = 0, line = 0; at < mappings.length && line <= lastLine;) {
    const code = mappings.charCodeAt(at);
    if (code === SEMICOLON) {
      line++;
      fields[0] = 0;
    }
    if (code === SEMICOLON || code === COMMA) {
      at++;
      continue;
    }
    let read = 0;
    for (; at < mappings.length && read < fields.length; read++) {
      const next = mappings.charCodeAt(at);
      if (next === SEMICOLON || next === COMMA) break;
      at = addNumber(mappings, at, fields, read);
    }
    const [column = 0, source = 0, originalLine = 0, originalColumn = 0] = fields;
    const original = read >= 4 ? { source, line: originalLine, column: originalColumn } : undefined;
    for (const [index, place] of places.entries()) {
      if (place.line === line && column <= place.column) found[index] = original;
    }
  }
  return found;
}

/** Reads a VLQ number, adds it to a field, and returns where the next one begins. */
function addNumber(text: string, start: number, fields: number[], field: number): number {
  let value = 0;
  let shift = 0;
  for (let at = start; at < text.length; at++) {
    const digit = VALUES[text.charCodeAt(at)] ?? -1;
    if (digit < 0) throw new SyntaxError(`no digit of a source map at ${at}`);
    value += (digit & (CONTINUES - 1)) << shift;
    if ((digit & CONTINUES) === 0) {
      fields[field]! += value & 1 ? -(value >>> 1) : value >>> 1;
      return at + 1;
    }
    shift += 5;
  }
  throw new SyntaxError('a source map ends within a number');
}
