import { isWellFormed } from '../../http/target.ts';
import { option } from '../../options/option.ts';
import { tokenEndpoint } from '../../path/token-endpoint.ts';

/** Where purges are posted to, and the token that they need. */
export interface PurgeEndpointOptions {
  /** Its path, for example `/_ng-ssr/purge`. */
  readonly path: string;
  /**
   * The token of `Authorization: Bearer <token>`, from the environment. At least 16 characters. While `ng build`
   * runs the server it may be undefined.
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
