import { isWellFormed } from '../../http/target.ts';
import { option } from '../../options/option.ts';
import { tokenEndpoint } from '../../path/token-endpoint.ts';

/** Options of `withPurgeEndpoint()`. */
export interface PurgeEndpointOptions {
  /** The path, such as `/_ng-ssr/purge`. */
  readonly path: string;
  /**
   * A secret of at least 16 characters, from the environment. Clients send it as `Authorization: Bearer
   * <token>`. It may be undefined during `ng build`.
   */
  readonly token: string | undefined;
}

export const resolvePurgeEndpoint: ReturnType<typeof tokenEndpoint> = tokenEndpoint(
  'withPurgeEndpoint',
  option(
    (given) => typeof given === 'string' && isWellFormed(given) && !given.includes('?'),
    'a path from "/", without a query',
  ),
);
