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
    if (token.kind !== 'option' || token.rawName === '-h' || known.includes(token.name)) continue;
    throw wrongArguments(unknownOption(token.rawName, known));
  }
}

/** @param known - Without the dashes. */
export function unknownOption(written: string, known: readonly string[]): string {
  const meant = suggestionFor(written.replace(/^-+/, ''), known);
  const hint =
    meant === undefined ? `Allowed: --${known.join(', --')}` : `Did you mean --${meant}?`;
  return `unknown option ${written}. ${hint}`;
}
