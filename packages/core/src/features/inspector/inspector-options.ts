import { checkToken } from '../../check-token.ts';
import { isWellFormed } from '../../http/target.ts';
import { group, option, withDefault } from '../../options/option.ts';

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

/** `ng-ssr explain`, `purge` and `top` have the same. */
const DEFAULT_PATH = '/_ng-ssr/inspector';
const VARIABLE = 'NG_SSR_TOKEN';

const inspector = group<{ readonly path: string; readonly token: unknown }>(
  {
    path: withDefault(
      option<string>(isPath, 'a path from "/", without a query and a "/" at its end'),
      DEFAULT_PATH,
    ),
    // Checked where it is known whether it may be missing.
    token: (_name: string, given: unknown) => given,
  },
  'true, false or an object with path and token',
);

/**
 * @param isBuilt - Whether the server has a build on disk: without one there is no inspector if the token is missing.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveInspector(
  given: InspectorOptions | boolean | undefined,
  isBuilt: boolean,
): ResolvedInspector | undefined {
  if (given === undefined || given === false) return undefined;
  const { path, token: own } = inspector('inspector', given === true ? {} : given);
  const variable = own === undefined ? VARIABLE : undefined;
  const token = checkToken('inspector.token', own ?? process.env[VARIABLE], isBuilt, variable);
  return token === undefined ? undefined : { path, token };
}

/** The path is also that of a cookie, which ends at a semicolon. */
function isPath(path: unknown): boolean {
  return (
    typeof path === 'string' && isWellFormed(path) && !/[?;]/.test(path) && !path.endsWith('/')
  );
}
