import { SsrError } from '../errors.ts';
import { assertKnownOptions, check } from '../check-option.ts';
import { isFieldValue } from '../http/field-syntax.ts';
import type { CacheOptions, PrewarmOptions } from './cache-options.ts';

/** Cache options with every default filled in; undefined stands for none. */
export type ResolvedCacheOptions = {
  readonly [name in keyof CacheOptions]-?: name extends 'maxBytes' | 'ignoredQuery'
    ? Exclude<CacheOptions[name], undefined>
    : CacheOptions[name];
};

const DEFAULT_BYTES = 256 * 1024 * 1024;

/** Parameters that campaigns and mail programs add: pages do not depend on them. */
const CAMPAIGNS = [
  ...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_*', 'srsltid', '_ga', '_gl'],
  ...['fbclid', 'msclkid', 'ttclid', 'twclid', 'yclid', 'igshid', 'li_fat_id', 'epik'],
  ...['mc_cid', 'mc_eid', '_hsenc', '_hsmi', 'mkt_tok', 'vero_id', 'oly_enc_id', 'oly_anon_id'],
];

const NAMES: readonly string[] = [
  'maxBytes',
  'languages',
  'ignoredQuery',
  'store',
  'buildId',
  'purgeEndpoint',
  'prewarm',
  'nonce',
] satisfies readonly (keyof CacheOptions)[];

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveCacheOptions(
  options: CacheOptions | false | undefined,
): ResolvedCacheOptions | false {
  if (options === false) return false;
  check(
    'cache',
    options,
    options === undefined || isObject(options),
    'false or an object of options',
  );
  const {
    maxBytes = DEFAULT_BYTES,
    languages,
    ignoredQuery = CAMPAIGNS,
    store,
    buildId,
    purgeEndpoint,
    prewarm,
    nonce,
    ...unknown
  } = options ?? {};
  if (Object.keys(unknown).length > 0) assertKnownOptions(options ?? {}, NAMES);

  const isBytes = Number.isSafeInteger(maxBytes) && maxBytes > 0;
  check('cache.maxBytes', maxBytes, isBytes, 'a whole number of bytes, 1 or more');
  const isLanguages = languages === undefined || (isNames(languages) && languages.length > 0);
  check('cache.languages', languages, isLanguages, 'a list of language tags, at least one');
  check('cache.ignoredQuery', ignoredQuery, isNames(ignoredQuery), 'a list of parameter names');
  const isStore = store === undefined || typeof store?.open === 'function';
  check('cache.store', store, isStore, 'a page store: redisPageStore() of @ng-ssr/redis');
  const isId = buildId === undefined || (typeof buildId === 'string' && ID.test(buildId));
  check('cache.buildId', buildId, isId, 'up to 64 letters, digits, ".", "_" and "-"');
  if (purgeEndpoint !== undefined) checkPurgeEndpoint(purgeEndpoint);
  if (prewarm !== undefined) checkPrewarm(prewarm);
  if (nonce !== undefined) checkNonce(nonce);
  return { maxBytes, languages, ignoredQuery, store, buildId, purgeEndpoint, prewarm, nonce };
}

const ID = /^[\w.-]{1,64}$/;
const BASE64 = /^[\w+/=-]{8,}$/;
const TOKEN_CHARACTERS = 16;
const TOKEN = /^[\w.~+/=-]+$/;

function isNames(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== '');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('/');
}

function checkPurgeEndpoint(options: NonNullable<CacheOptions['purgeEndpoint']>): void {
  check('cache.purgeEndpoint', options, isObject(options), 'an object with path and token');
  assertKnownOptions(options, ['path', 'token']);
  const { path, token } = options;
  const isPlain = isPath(path) && !/[?#]/.test(path);
  check('cache.purgeEndpoint.path', path, isPlain, 'a path from "/", without a query');
  const isToken =
    typeof token === 'string' && token.length >= TOKEN_CHARACTERS && TOKEN.test(token);
  if (isToken) return;
  // The value is a secret, and the message may come into a log.
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `cache.purgeEndpoint.token is a ${typeof token} of another kind: allowed is a text of at least ` +
      `${TOKEN_CHARACTERS} characters: letters, digits and "-._~+/="`,
  );
}

function checkPrewarm(options: PrewarmOptions): void {
  check(
    'cache.prewarm',
    options,
    isObject(options),
    'an object with origin and paths or a sitemap',
  );
  assertKnownOptions(options, [
    'paths',
    'sitemap',
    'origin',
    'headers',
    'concurrency',
    'blocksReady',
  ]);
  const { paths, sitemap, origin, headers, concurrency = 1, blocksReady } = options;
  const isPaths = paths === undefined || (Array.isArray(paths) && paths.every(isPath));
  check('cache.prewarm.paths', paths, isPaths, 'a list of paths from "/"');
  const isSitemap = sitemap === undefined || (typeof sitemap === 'string' && sitemap !== '');
  check('cache.prewarm.sitemap', sitemap, isSitemap, "a file's path");
  const isSource = paths !== undefined || sitemap !== undefined;
  check('cache.prewarm', JSON.stringify(options), isSource, 'one with paths or a sitemap');
  const isOrigin =
    URL.canParse(origin) && new URL(origin).origin === origin && /^https?:/.test(origin);
  check('cache.prewarm.origin', origin, isOrigin, 'an origin: "https://shop.example"');
  const isHeaders =
    headers === undefined ||
    (isObject(headers) && Object.values(headers).every((value) => typeof value === 'string'));
  check('cache.prewarm.headers', headers, isHeaders, 'an object of request fields and their texts');
  const isCount = Number.isSafeInteger(concurrency) && concurrency > 0;
  check('cache.prewarm.concurrency', concurrency, isCount, 'a whole number, 1 or more');
  const isFlag = blocksReady === undefined || typeof blocksReady === 'boolean';
  check('cache.prewarm.blocksReady', blocksReady, isFlag, 'true or false');
}

function checkNonce(options: NonNullable<CacheOptions['nonce']>): void {
  check('cache.nonce', options, isObject(options), 'an object with placeholder and policy');
  assertKnownOptions(options, ['placeholder', 'policy']);
  const { placeholder, policy } = options;
  const isPlaceholder = typeof placeholder === 'string' && BASE64.test(placeholder);
  check('cache.nonce.placeholder', placeholder, isPlaceholder, '8 or more characters of base64');
  const hasPlaceholder = typeof policy === 'string' && policy.includes(`'nonce-${placeholder}'`);
  check('cache.nonce.policy', policy, hasPlaceholder, `a policy with 'nonce-${placeholder}' in it`);
  check(
    'cache.nonce.policy',
    policy,
    isFieldValue(policy),
    'a field value: no line breaks, Latin-1',
  );
}
