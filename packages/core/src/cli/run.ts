import { parseArgs } from 'node:util';
import { describeError } from '../describe-error.ts';
import { SsrError } from '../errors.ts';
import { HELP } from './help.ts';
import { readInlineBytes } from './manifest-command.ts';
import { pack } from './pack-command.ts';

/**
 * Runs the command with its arguments, and prints what it has done, or why it has not.
 *
 * @returns the exit code: 0, or 1 for an error.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = read(args);
    const [command, outputPath, ...rest] = positionals;
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    if (command !== 'pack') {
      throw wrong(
        command === undefined ? 'a command is missing' : `there is no command "${command}"`,
      );
    }
    if (outputPath === undefined) throw wrong('the output path is missing');
    if (rest.length > 0) throw wrong(`there is more than one output path: ${rest.join(' ')}`);
    const hasManifest = values.manifest === true || values.inline !== undefined;
    const inlineBytes = hasManifest ? readInlineBytes(values.inline) : undefined;
    await pack(outputPath, values.browser, values.previous, inlineBytes);
    return 0;
  } catch (error) {
    const isOurs = error instanceof SsrError;
    const text = isOurs ? `${error.code}: ${error.message}` : describeError(error);
    process.stderr.write(`ng-ssr: ${text}\n`);
    return 1;
  }
}

interface Arguments {
  readonly values: {
    readonly help?: boolean | undefined;
    readonly manifest?: boolean | undefined;
    readonly inline?: string | undefined;
    readonly browser: string;
    readonly previous: readonly string[];
  };
  readonly positionals: readonly string[];
}

/** @throws SsrError `NG_SSR_COMMAND_INVALID` */
function read(args: readonly string[]): Arguments {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        manifest: { type: 'boolean' },
        inline: { type: 'string' },
        browser: { type: 'string', default: 'browser' },
        previous: { type: 'string', multiple: true, default: [] },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

function wrong(reason: string): SsrError {
  return new SsrError(
    'NG_SSR_COMMAND_INVALID',
    `${reason}\n\n${HELP.split('\n', 1)[0]}\nng-ssr --help says more.`,
  );
}
