import { group, option, optional } from '../../options/option.ts';

/** Options of `withSlots()` for all of its slots. */
export interface SlotsOptions {
  /**
   * Path from which browsers fetch the data, such as `/_slots` (`/shop/_slots` below a mount), without escapes. Pages
   * then have no data, and any cache may keep them. Default: none; the data follows the page in the same response.
   */
  readonly endpoint?: string | undefined;
}

const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveSlotsOptions(given: unknown): SlotsOptions {
  return given === undefined ? {} : options('withSlots', given);
}

const options = group<SlotsOptions>({
  endpoint: optional(
    option<string>(
      (given) => typeof given === 'string' && PATH.test(given),
      'a path such as "/_slots", of letters, digits, "-", "_", "." and "~"',
    ),
  ),
});
