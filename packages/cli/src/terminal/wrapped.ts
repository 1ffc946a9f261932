import { cellsOf } from './cells.ts';

/** The lines of a text in this many cells, broken at spaces; a longer word is broken anywhere. */
export function wrapped(text: string, cells: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (cellsOf(longer) <= cells) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = broken(word, cells);
    line = pieces.pop()!;
    lines.push(...pieces);
  }
  return [...lines, line];
}

function broken(word: string, cells: number): string[] {
  const pieces = [''];
  for (const character of word) {
    const longer = pieces.at(-1)! + character;
    if (cellsOf(longer) <= cells || pieces.at(-1) === '') pieces[pieces.length - 1] = longer;
    else pieces.push(character);
  }
  return pieces;
}
