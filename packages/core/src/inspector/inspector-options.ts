import { assertKnownOptions, check, isOptionObject } from '../check-option.ts';
import { isWellFormed } from '../http/target.ts';
import { checkToken } from '../check-token.ts';

/** A page and JSON endpoints for operators: how the server does, and what it stores. */
export interface InspectorOptions {
  /** Where it is. Its parts are below this path. Default: `/_ng-ssr/inspector`. */
  readonly path?: string | undefined;
  /**
   * What opens it: at least 16 letters, digits and "-._~+/=", from the environment. Programs send it as
   * `Authorization: Bearer`, or as `NG-SSR-Token` behind HTTP Basic; people sign in with it. Default: NG_SSR_TOKEN.
   */
  readonly token?: string | undefined;
}

/** Options with every default filled in. */
export type ResolvedInspector = {
  readonly [name in keyof InspectorOptions]-?: Exclude<InspectorOptions[name], undefined>;
};

const NAME = 'inspector';
/** `ng-ssr explain`, `purge` and `top` have the same. */
const DEFAULT_PATH = '/_ng-ssr/inspector';
const VARIABLE = 'NG_SSR_TOKEN';

/**
 * @param isBuilt - Whether the server has a build on disk: without one there is no inspector if the token is missing.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveInspector(
  given: InspectorOptions | boolean | undefined,
  isBuilt: boolean,
): ResolvedInspector | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : given;
  check(NAME, options, isOptionObject(options), 'true, false or an object with path and token');
  assertKnownOptions(options, ['path', 'token'], NAME);
  const { path = DEFAULT_PATH, token = process.env[VARIABLE] } = options;
  check(
    `${NAME}.path`,
    path,
    isPath(path),
    'a path from "/", without a query and a "/" at its end',
  );
  const isOwn = options.token !== undefined;
  const checked = checkToken(`${NAME}.token`, token, isBuilt, isOwn ? undefined : VARIABLE);
  return checked === undefined ? undefined : { path, token: checked };
}

/** The path is also that of a cookie, which ends at a semicolon. */
function isPath(path: unknown): boolean {
  return (
    typeof path === 'string' && isWellFormed(path) && !/[?;]/.test(path) && !path.endsWith('/')
  );
}
