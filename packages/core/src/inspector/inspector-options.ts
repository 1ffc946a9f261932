import { assertKnownOptions, check, isOptionObject } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { isWellFormed } from '../http/target.ts';

/** A page and JSON endpoints for operators: how the server does, and what it stores. */
export interface InspectorOptions {
  /** Where it is: `/_ng-ssr/inspector`. Its parts are below this path. */
  readonly path: string;
  /**
   * What opens it: at least 16 letters, digits and "-._~+/=", from the environment. Programs send it as
   * `Authorization: Bearer`, people sign in with it.
   */
  readonly token: string;
}

const NAME = 'inspector';
const TOKEN_CHARACTERS = 16;
const TOKEN = /^[\w.~+/=-]+$/;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveInspector(
  options: InspectorOptions | undefined,
): InspectorOptions | undefined {
  if (options === undefined) return undefined;
  check(NAME, options, isOptionObject(options), 'an object with path and token');
  assertKnownOptions(options, ['path', 'token']);
  const { path, token } = options;
  check(
    `${NAME}.path`,
    path,
    isPath(path),
    'a path from "/", without a query and a "/" at its end',
  );
  const isToken =
    typeof token === 'string' && token.length >= TOKEN_CHARACTERS && TOKEN.test(token);
  if (isToken) return { path, token };
  // The token is a secret, and the message may be logged.
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${NAME}.token is a ${typeof token} that cannot be used; allowed: a string of at least ` +
      `${TOKEN_CHARACTERS} characters, which are letters, digits and "-._~+/="`,
  );
}

/** The path is also that of a cookie, which ends at a semicolon. */
function isPath(path: unknown): boolean {
  return (
    typeof path === 'string' && isWellFormed(path) && !/[?;]/.test(path) && !path.endsWith('/')
  );
}
