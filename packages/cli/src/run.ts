import { describeError, SsrError, suggestionFor, toLogLine, VERSION } from '@ng-ssr/core/pack';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { packCommand } from './commands/pack.ts';
import { purgeCommand } from './commands/purge.ts';
import { renderCommand } from './commands/render.ts';
import { topCommand } from './commands/top.ts';
import type { Command } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { readArguments, unknownOption } from './read-arguments.ts';
import { toHelpText } from './terminal/help-text.ts';
import { print } from './terminal/print.ts';
import { wrongArguments } from './wrong-arguments.ts';

/** In the order of the help. */
const COMMANDS: readonly Command[] = [
  doctorCommand,
  packCommand,
  renderCommand,
  explainCommand,
  purgeCommand,
  topCommand,
];

/**
 * Runs a command with its arguments, and prints what it has done, or why it has not.
 *
 * @param args - The command's name and its arguments, as in `process.argv` after the program.
 * @returns the exit code: 0; 1 when the command failed or has found errors; 2 for wrong arguments.
 */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = args;
  const command = COMMANDS.find((each) => each.name === name);
  try {
    if (command === undefined) return runWithoutCommand(name);
    const { values, positionals } = readArguments(command, rest);
    if (values['help'] === true) {
      print(toHelpText(command.help));
      return 0;
    }
    return await command.run(values, positionals);
  } catch (error) {
    return explain(error, command);
  }
}

function runWithoutCommand(name: string | undefined): ExitCode {
  if (name === '--help' || name === '-h' || name === 'help') {
    print(listOfCommands());
    return 0;
  }
  if (name === '--version' || name === '-v') {
    print(`${VERSION}\n`);
    return 0;
  }
  if (name === undefined) throw wrongArguments('a command is missing');
  if (name.startsWith('-')) throw wrongArguments(unknownOption(name, ['help', 'version']));
  const names = COMMANDS.map((each) => each.name);
  const meant = suggestionFor(name, names);
  throw wrongArguments(
    `unknown command ${JSON.stringify(name)}. ` +
      (meant === undefined ? `Allowed: ${names.join(', ')}` : `Did you mean ${meant}?`),
  );
}

function explain(error: unknown, command: Command | undefined): ExitCode {
  if (!(error instanceof SsrError)) {
    print(`ng-ssr: ${describeError(error)}\n`, process.stderr);
    return 1;
  }
  print(`${toLogLine(error)}\n`, process.stderr);
  if (error.code !== 'NG_SSR_COMMAND_INVALID') return 1;
  const usage = command?.help.split('\n\n', 1)[0] ?? 'Usage: ng-ssr <command>';
  const more = command === undefined ? 'ng-ssr --help' : `ng-ssr ${command.name} --help`;
  print(`\n${usage}\n${more} shows all arguments.\n`, process.stderr);
  return 2;
}

function listOfCommands(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: ng-ssr <command> [arguments]\n',
    ...lines,
    '\nng-ssr <command> --help shows the arguments of a command.',
    'ng-ssr --version shows the version.\n',
  ].join('\n');
}
