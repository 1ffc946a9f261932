import { SsrError } from './errors.ts';

const LEAST_CHARACTERS = 16;
const TOKEN = /^[\w.~+/=-]+$/;

/**
 * Checks the token of an endpoint. It is a secret, so no message shows it.
 *
 * @param name - The option: `inspector.token`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkToken(name: string, token: unknown): void {
  if (typeof token === 'string' && token.length >= LEAST_CHARACTERS && TOKEN.test(token)) return;
  const message = `${name} ${problemOf(token)}. Set it to a random string of at least ${LEAST_CHARACTERS} characters`;
  const example = 'such as the output of `openssl rand -hex 32`';
  throw new SsrError('NG_SSR_OPTION_INVALID', `${message}, ${example}`);
}

function problemOf(token: unknown): string {
  if (token === undefined || token === null || token === '') return 'is missing';
  if (typeof token !== 'string') return `is a ${typeof token}`;
  if (token.length < LEAST_CHARACTERS) return `has ${token.length} characters`;
  return 'has characters other than letters, digits and "-._~+/="';
}
