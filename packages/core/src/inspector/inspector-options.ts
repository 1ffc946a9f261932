import { assertKnownOptions, check, isOptionObject } from '../check-option.ts';
import { checkToken } from '../check-token.ts';
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

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveInspector(
  options: InspectorOptions | undefined,
): InspectorOptions | undefined {
  if (options === undefined) return undefined;
  check(NAME, options, isOptionObject(options), 'an object with path and token');
  assertKnownOptions(options, ['path', 'token'], NAME);
  const { path, token } = options;
  check(
    `${NAME}.path`,
    path,
    isPath(path),
    'a path from "/", without a query and a "/" at its end',
  );
  checkToken(`${NAME}.token`, token);
  return { path, token };
}

/** The path is also that of a cookie, which ends at a semicolon. */
function isPath(path: unknown): boolean {
  return (
    typeof path === 'string' && isWellFormed(path) && !/[?;]/.test(path) && !path.endsWith('/')
  );
}
