import { isWellFormed } from '../../http/target.ts';
import { option, withDefault } from '../../options/option.ts';
import { tokenEndpoint } from '../../path/token-endpoint.ts';

/** Options of `withPurgeEndpoint()`. */
export interface PurgeEndpointOptions {
  /** Path of the endpoint, below the mount if there is one. Default: `/_ng-ssr/purge`. */
  readonly path?: string | undefined;
  /**
   * At least 16 characters, sent as `Authorization: Bearer <token>`. It may be undefined during `ng build`. Default:
   * NG_SSR_TOKEN.
   */
  readonly token?: string | undefined;
}

export const resolvePurgeEndpoint: ReturnType<typeof tokenEndpoint> = tokenEndpoint(
  'withPurgeEndpoint',
  withDefault(
    option<string>(
      (given) => typeof given === 'string' && isWellFormed(given) && !given.includes('?'),
      'a path that starts with "/", without a query',
    ),
    '/_ng-ssr/purge',
  ),
  'NG_SSR_TOKEN',
);
