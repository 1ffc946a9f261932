import { OWN_COLORS } from './colors.ts';
import { shownText } from './shown-text.ts';

/**
 * Writes a text for people. All commands write through this: texts come from servers, files and variables, and a
 * terminal would act on escape sequences in them. Lines and our own colors stay.
 */
export function print(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(printable(text, stream.isTTY));
}

/** @param isTerminal - Nothing has colors where there is no terminal. */
export function printable(text: string, isTerminal: boolean | undefined): string {
  const lines = text.split(isTerminal === true ? OWN_COLORS_AND_LINES : LINES);
  // The parts at odd places are what the pattern has found.
  return lines.map((part, at) => (at % 2 === 1 ? part : shownText(part))).join('');
}

const LINES = /(\n)/;
const OWN_COLORS_AND_LINES = new RegExp(`(\\n|${OWN_COLORS.source})`);
