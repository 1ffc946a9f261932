import { SsrError } from './errors.ts';

const LEAST_CHARACTERS = 16;
const TOKEN = /^[\w.~+/=-]+$/;

/**
 * Checks the token of an endpoint. It is a secret, so no message shows it.
 *
 * @param name - The option: `purgeEndpoint.token`.
 * @param isBuilt - Whether the server has a build on disk. While `ng build` and `ng serve` run the program, the
 * variable with the token may not be set.
 * @param variable - The environment variable that was read in place of the option, for the message.
 * @returns undefined for one that may be missing.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkToken(
  name: string,
  token: unknown,
  isBuilt: boolean,
  variable?: string,
): string | undefined {
  const problem = problemOf(token);
  if (problem === undefined) return token as string;
  if (problem === MISSING && !isBuilt) return undefined;
  const unknown = problem === MISSING ? 'the environment variable that you pass to it' : 'it';
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${name} ${problem}. Set ${variable ?? unknown} to a random string of at least ${LEAST_CHARACTERS} characters, such as the ` +
      'output of `openssl rand -hex 32`',
  );
}

const MISSING = 'is missing';

function problemOf(token: unknown): string | undefined {
  if (token === undefined || token === null || token === '') return MISSING;
  if (typeof token !== 'string') return `is a ${typeof token}`;
  if (token.length < LEAST_CHARACTERS) return `has ${token.length} characters`;
  if (!TOKEN.test(token)) return 'has characters other than letters, digits and "-._~+/="';
  return undefined;
}
