import { isWellFormed } from '../../http/target.ts';
import { option, withDefault } from '../../options/option.ts';
import { tokenEndpoint } from '../../path/token-endpoint.ts';

/** Options of the inspector. */
export interface InspectorOptions {
  /** Path of the page and its JSON endpoints. Default: `/_ng-ssr/inspector`. */
  readonly path?: string | undefined;
  /**
   * At least 16 letters, digits and "-._~+/=". Programs send it as `Authorization: Bearer <token>`, or as
   * `NG-SSR-Token` behind HTTP Basic. Default: NG_SSR_TOKEN.
   */
  readonly token?: string | undefined;
}

/** The path and the variable are also those of `ng-ssr explain`, `purge` and `top`. */
export const resolveInspector: ReturnType<typeof tokenEndpoint> = tokenEndpoint(
  'withInspector',
  withDefault(
    option(isPath, 'a path that starts with "/", without a query and a "/" at its end'),
    '/_ng-ssr/inspector',
  ),
  'NG_SSR_TOKEN',
);

/** The path is also that of a cookie, which ends at a semicolon. */
function isPath(path: unknown): boolean {
  return (
    typeof path === 'string' && isWellFormed(path) && !/[?;]/.test(path) && !path.endsWith('/')
  );
}
