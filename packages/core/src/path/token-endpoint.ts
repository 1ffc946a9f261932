import { checkToken } from '../check-token.ts';
import { group, type Option } from '../options/option.ts';
import type { DescribedEndpoint } from '../telemetry/server-description.ts';

/** Where an endpoint is that a token opens. */
export interface TokenEndpoint {
  readonly path: string;
  readonly token: string;
}

/**
 * Reads the options of an endpoint that a token opens.
 *
 * @param name - As in messages.
 * @param variable - The environment variable with the token where the option has none.
 * @returns What checks them. It gives undefined without a token, which may be missing where there is no build.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function tokenEndpoint(
  name: string,
  path: Option<string>,
  variable: string,
): (given: unknown, isBuilt: boolean) => TokenEndpoint | undefined {
  const options = group<{ readonly path: string; readonly token: unknown }>(
    // The token is checked where it is known whether it may be missing.
    { path, token: (_name, given) => given },
    'an object with path and token',
  );
  return (given, isBuilt) => {
    const { path, token: own } = options(name, given);
    // Not all platforms have a process.
    const inPlace = typeof process === 'undefined' ? undefined : process.env[variable];
    const read = own === undefined ? variable : undefined;
    const token = checkToken(`${name}.token`, own === undefined ? inPlace : own, isBuilt, read);
    return token === undefined ? undefined : { path, token };
  };
}

/** Describes it, for `ng-ssr doctor`. The token stays here. */
export function describeEndpoint(
  feature: string,
  { path, token }: TokenEndpoint,
): DescribedEndpoint {
  const isTokenIn = (text: string): boolean => text.includes(token);
  const tokenVariety = new Set(token).size;
  return { feature, path, tokenCharacters: token.length, tokenVariety, isTokenIn };
}
