import type { parseArgs, ParseArgsConfig } from 'node:util';
import type { ExitCode } from './exit-code.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
/** The values of a command's options, by their names. */
export type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values'];

/** A command of `ng-ssr`. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** The whole text of `ng-ssr <name> --help`; its first line is "Usage: ...". */
  readonly help: string;
  /** As `parseArgs` of node:util takes them. All commands have `--help`. */
  readonly options: O;
  /**
   * @param positionals - The arguments without the command's name.
   * @throws SsrError `NG_SSR_COMMAND_INVALID` for arguments that are wrong, and other codes for what failed.
   */
  run(values: Values<O>, positionals: readonly string[]): Promise<ExitCode>;
}

/** Infers the types of a command's options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  // The table has commands with different options, and each one only gets values of its own.
  return command as unknown as Command;
}
