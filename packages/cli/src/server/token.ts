import { readFileSync } from 'node:fs';
import { print } from '../terminal/print.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const VARIABLE = 'NG_SSR_TOKEN';
export const BASIC = 'NG_SSR_BASIC';

/**
 * The token of an inspector or purge endpoint: of a file, of `--token`, or of the environment.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`
 */
export function readToken(file: string | undefined, given: string | undefined): string {
  if (file !== undefined && given !== undefined) {
    throw wrongArguments('pass either --token-file or --token');
  }
  const token =
    (file === undefined ? undefined : readTokenFile(file)) ?? given ?? process.env[VARIABLE];
  if (token === undefined || token === '') {
    throw wrongArguments(`the token is missing: set ${VARIABLE}, or pass a file with --token-file`);
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw wrongArguments('the token has a space or another character that is not allowed');
  }
  if (given !== undefined) {
    print(
      `ng-ssr: every user of this machine can read --token in the process list. ` +
        `Use ${VARIABLE} or --token-file.\n`,
      process.stderr,
    );
  }
  return token;
}

/**
 * The user and the password of a proxy in front that asks for HTTP Basic (RFC 7617), of the environment. The list of
 * processes has no place for them.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`
 */
export function readBasic(): string | undefined {
  const user = process.env[BASIC];
  if (user === undefined || user === '') return undefined;
  if (user.includes(':')) return `Basic ${Buffer.from(user).toString('base64')}`;
  throw wrongArguments(
    `${BASIC} has no ":"; allowed: the user and the password, as in ann:password`,
  );
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw wrongArguments(`--token-file cannot be read: ${(error as Error).message}`);
  }
}
