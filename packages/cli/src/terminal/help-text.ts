import { wrapped } from './wrapped.ts';

/** Every terminal has these. */
const COLUMNS = 80;
/** An option and where its description begins: on its line, or on the next ones. */
const ENTRY = /^ {2}\S.*? {2,}(?=\S)/;
const CONTINUED = /^ {10,}/;
const USAGE = /^(Usage:| {6}) /;

/** A help with lines of 80 columns at most. Paragraphs and descriptions are filled again. */
export function toHelpText(help: string): string {
  const blocks: string[] = [];
  for (const line of help.split('\n')) {
    const last = blocks.at(-1);
    if (last !== undefined && continues(line, last)) blocks[blocks.length - 1] += ` ${line.trim()}`;
    else blocks.push(line);
  }
  return blocks.flatMap(fill).join('\n');
}

function continues(line: string, before: string): boolean {
  if (line === '' || before === '') return false;
  if (CONTINUED.test(line)) {
    return [ENTRY, CONTINUED, USAGE].some((pattern) => pattern.test(before));
  }
  return !USAGE.test(before) && !line.startsWith(' ') && !before.startsWith(' ');
}

function fill(block: string): readonly string[] {
  if (block.length <= COLUMNS) return [block];
  const [start = ''] = ENTRY.exec(block) ?? USAGE.exec(block) ?? /^ */.exec(block) ?? [];
  const indent = start.length;
  const lines = wrapped(block.slice(indent), COLUMNS - indent);
  return lines.map((line, at) => (at === 0 ? block.slice(0, indent) : ' '.repeat(indent)) + line);
}
