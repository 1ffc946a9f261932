/** The cells of a terminal that a text takes, without escape sequences. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text.replace(COLORS, '')) cells += cellsOfCharacter(character);
  return cells;
}

/** A text in exactly this many cells: filled with spaces at its end, or cut, with "…" in place of what is cut. */
export function fit(text: string, cells: number): string {
  const own = cellsOf(text);
  return own <= cells ? text + ' '.repeat(cells - own) : cut(text, cells);
}

/** A text in at most this many cells. */
export function cut(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  if (cells <= 0) return '';
  let kept = '';
  let left = cells - 1;
  for (const part of text.split(BETWEEN_COLORS)) {
    if (part.startsWith('\x1b')) {
      kept += part;
      continue;
    }
    for (const character of part) {
      const own = cellsOfCharacter(character);
      // Nothing narrower comes after the cut.
      left = own > left ? -1 : left - own;
      if (left < 0) break;
      kept += character;
    }
    if (left < 0) return `${kept}…${kept.includes('\x1b') ? RESET : ''}`;
  }
  return kept;
}

/** As `fit`, with the text at the end. */
export function fitEnd(text: string, cells: number): string {
  const own = cellsOf(text);
  return own <= cells ? ' '.repeat(cells - own) + text : cut(text, cells);
}

const RESET = '\x1b[0m';
const COLORS = /\x1b\[[\d;]*m/g;
const BETWEEN_COLORS = /(\x1b\[[\d;]*m)/;
const NO_CELL = /^\p{M}$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

function cellsOfCharacter(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (NO_CELL.test(character)) return 0;
  return isWide(code) || EMOJI.test(character) ? 2 : 1;
}

/** East Asian Wide and Fullwidth (Unicode Standard Annex 11), by their blocks. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return WIDE.some(([first, last]) => code >= first && code <= last);
}
