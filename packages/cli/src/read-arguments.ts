import { parseArgs } from 'node:util';
import { suggestionFor } from '@ng-ssr/core/pack';
import type { Command, Values } from './command.ts';
import { wrongArguments } from './wrong-arguments.ts';

/** The arguments of one command, read by its options. */
export interface Arguments {
  readonly values: Values<Command['options']>;
  readonly positionals: readonly string[];
}

/**
 * @param args - What follows the command's name.
 * @throws SsrError `NG_SSR_COMMAND_INVALID`
 */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
  assertKnownOptions(Object.keys(options), args);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw wrongArguments((error as Error).message);
  }
}

function assertKnownOptions(known: readonly string[], args: readonly string[]): void {
  const { tokens } = parseArgs({ args: [...args], strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || !token.rawName.startsWith('--')) continue;
    if (known.includes(token.name)) continue;
    const meant = suggestionFor(token.name, known);
    const hint = meant === undefined ? '' : `. Did you mean --${meant}?`;
    throw wrongArguments(`unknown option --${token.name}${hint}`);
  }
}
