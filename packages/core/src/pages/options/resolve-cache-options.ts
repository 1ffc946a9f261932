import { isList } from '../../check-option.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';
import { encodings } from '../../http/encodings.ts';
import { count, flag } from '../../options/option-values.ts';
import { group, listOf, option, optional, withDefault } from '../../options/option.ts';
import type { CacheOptions } from './cache-options.ts';

const DEFAULT_BYTES = 256 * 1024 * 1024;

/** Parameters that campaigns and mail programs add: pages do not depend on them. */
const CAMPAIGNS: readonly string[] = [
  ...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_*', 'srsltid', '_ga', '_gl'],
  ...['fbclid', 'msclkid', 'ttclid', 'twclid', 'yclid', 'igshid', 'li_fat_id', 'epik'],
  ...['mc_cid', 'mc_eid', '_hsenc', '_hsmi', 'mkt_tok', 'vero_id', 'oly_enc_id', 'oly_anon_id'],
];

/** RFC 5646 section 2.1: subtags of up to 8 letters and digits. */
const LANGUAGE = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;
const PARAMETER = /^(?!$)[^\s&=*\x00-\x1f\x7f]*\*?$/;

/** Cache options with every default filled in; undefined means none. */
export type ResolvedCacheOptions = {
  readonly [name in keyof CacheOptions]-?: name extends
    'maxBytes' | 'encodings' | 'ignoredQuery' | 'invalidateOnUnsafeMethods'
    ? Exclude<CacheOptions[name], undefined>
    : CacheOptions[name];
};

/** Before the default of encodings. */
interface GivenCache extends Omit<ResolvedCacheOptions, 'encodings'> {
  readonly encodings: readonly ContentEncoding[] | undefined;
}

const languages = option<readonly string[]>(
  (given) => isListOf(given, LANGUAGE) && (given as readonly string[]).length > 0,
  "a list of language tags, as in ['en', 'fr']",
);

const cacheOptions = group<GivenCache>(
  {
    maxBytes: withDefault(count(1, 'bytes'), DEFAULT_BYTES),
    languages: optional(languages),
    ignoredQuery: withDefault(
      listOf<string>(
        (item) => typeof item === 'string' && PARAMETER.test(item),
        'a list of parameter names, "*" only at the end',
      ),
      CAMPAIGNS,
    ),
    invalidateOnUnsafeMethods: flag(true),
    encodings: optional(encodings),
  },
  'false, or an object such as { maxBytes: 64 * 1024 * 1024 }; without the option, pages are cached',
);

/**
 * @param defaultEncodings - The default of `encodings`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveCacheOptions(
  given: CacheOptions | false | undefined = {},
  defaultEncodings: readonly ContentEncoding[],
): ResolvedCacheOptions | false {
  if (given === false) return false;
  const checked = cacheOptions('cache', given);
  const { encodings = defaultEncodings } = checked;
  return { ...checked, encodings };
}

function isListOf(list: unknown, pattern: RegExp): boolean {
  return isList(list, (item) => typeof item === 'string' && pattern.test(item));
}
