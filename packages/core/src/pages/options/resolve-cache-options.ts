import { checkToken } from '../../check-token.ts';
import { SsrError } from '../../errors.ts';
import {
  assertKnownOptions,
  check,
  checkCount,
  isList,
  isOptionObject,
} from '../../check-option.ts';
import type { ContentCoding } from '../../http/accept-encoding.ts';
import { checkCodings } from '../../http/check-codings.ts';
import { isFieldName, isFieldValue } from '../../http/field-syntax.ts';
import { isWellFormed } from '../../http/target.ts';
import type { CacheOptions, PrewarmOptions } from './cache-options.ts';
import type { Edge } from '../edge/edge.ts';
import type { PageStore } from '../store/page-store.ts';

/** Cache options with every default filled in; undefined means none. */
export type ResolvedCacheOptions = {
  readonly [name in keyof CacheOptions]-?: name extends
    'maxBytes' | 'maxCallBytes' | 'encodings' | 'ignoredQuery' | 'invalidateOnUnsafeMethods'
    ? Exclude<CacheOptions[name], undefined>
    : name extends 'purgeEndpoint'
      ? { readonly path: string; readonly token: string } | undefined
      : CacheOptions[name];
};

const DEFAULT_BYTES = 256 * 1024 * 1024;
/** Of calls, also where no page is stored. */
export const DEFAULT_CALL_BYTES: number = 64 * 1024 * 1024;

/** Parameters that campaigns and mail programs add: pages do not depend on them. */
const CAMPAIGNS = [
  ...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_*', 'srsltid', '_ga', '_gl'],
  ...['fbclid', 'msclkid', 'ttclid', 'twclid', 'yclid', 'igshid', 'li_fat_id', 'epik'],
  ...['mc_cid', 'mc_eid', '_hsenc', '_hsmi', 'mkt_tok', 'vero_id', 'oly_enc_id', 'oly_anon_id'],
];

const NAMES: readonly string[] = [
  'maxBytes',
  'maxCallBytes',
  'encodings',
  'languages',
  'ignoredQuery',
  'store',
  'edge',
  'buildId',
  'purgeEndpoint',
  'invalidateOnUnsafeMethods',
  'prewarm',
  'nonce',
] satisfies readonly (keyof CacheOptions)[];

/**
 * @param defaultEncodings - The default of `encodings`.
 * @param isBuilt - Whether the server has a build on disk. Without one, secrets may be missing, and what needs them is
 * left out.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveCacheOptions(
  options: CacheOptions | false | undefined,
  defaultEncodings: readonly ContentCoding[],
  isBuilt: boolean,
): ResolvedCacheOptions | false {
  if (options === false) return false;
  check(
    'cache',
    options,
    options === undefined || isOptionObject(options),
    'false or an object of options',
  );
  const {
    maxBytes = DEFAULT_BYTES,
    maxCallBytes = DEFAULT_CALL_BYTES,
    encodings = defaultEncodings,
    languages,
    ignoredQuery = CAMPAIGNS,
    store,
    edge,
    buildId,
    purgeEndpoint,
    invalidateOnUnsafeMethods = true,
    prewarm,
    nonce,
    ...unknown
  } = options ?? {};
  if (Object.keys(unknown).length > 0) assertKnownOptions(options ?? {}, NAMES, 'cache');

  checkCount('cache.maxBytes', maxBytes, 1, 'bytes');
  checkCount('cache.maxCallBytes', maxCallBytes, 1, 'bytes');
  checkCodings('cache.encodings', encodings);
  const isLanguages =
    languages === undefined || (isListOf(languages, LANGUAGE) && languages.length > 0);
  check('cache.languages', languages, isLanguages, 'a list of language tags, at least one');
  const isQuery = isListOf(ignoredQuery, PARAMETER);
  check(
    'cache.ignoredQuery',
    ignoredQuery,
    isQuery,
    'a list of parameter names, "*" only at the end',
  );
  const allowed = 'a page store: redisPageStore() of @ng-ssr/redis';
  check('cache.store', store, store === undefined || isStore(store), allowed);
  const edges =
    'an edge: varnishEdge(), fastlyEdge(), cloudflareEdge() or netlifyEdge() of @ng-ssr/edge';
  check('cache.edge', edge, edge === undefined || isEdge(edge), edges);
  const isId = buildId === undefined || (typeof buildId === 'string' && ID.test(buildId));
  check('cache.buildId', buildId, isId, 'up to 64 letters, digits, ".", "_" and "-"');
  if (prewarm !== undefined) checkPrewarm(prewarm);
  if (nonce !== undefined) checkNonce(nonce);
  const isFlag = typeof invalidateOnUnsafeMethods === 'boolean';
  check('cache.invalidateOnUnsafeMethods', invalidateOnUnsafeMethods, isFlag, 'true or false');
  const stored = {
    maxBytes,
    encodings,
    languages,
    ignoredQuery,
    store,
    edge: edge && withSecrets(edge, isBuilt),
    buildId,
    prewarm,
    nonce,
  };
  return {
    ...stored,
    maxCallBytes,
    purgeEndpoint:
      purgeEndpoint === undefined ? undefined : resolvePurgeEndpoint(purgeEndpoint, isBuilt),
    invalidateOnUnsafeMethods,
  };
}

const ID = /^[\w.-]{1,64}$/;
const BASE64 = /^[\w+/=-]{8,}$/;
/** RFC 5646 section 2.1: subtags of up to 8 letters and digits. */
const LANGUAGE = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;
const PARAMETER = /^(?!$)[^\s&=*\x00-\x1f\x7f]*\*?$/;
/** Of a placeholder in a message. */
const MOST_SHOWN = 100;

function isListOf(list: unknown, pattern: RegExp): list is readonly string[] {
  return isList(list, (item) => typeof item === 'string' && pattern.test(item));
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('/');
}

function isTarget(target: unknown): target is string {
  return typeof target === 'string' && isWellFormed(target);
}

function isStore(store: unknown): store is PageStore {
  if (typeof store !== 'object' || store === null) return false;
  const { invalidate } = store as Partial<PageStore>;
  return (
    STORE_FUNCTIONS.every((name) => typeof (store as PageStore)[name] === 'function') &&
    (invalidate === undefined || typeof invalidate === 'function')
  );
}

function isEdge(edge: unknown): edge is Edge {
  if (typeof edge !== 'object' || edge === null) return false;
  const { name, settleMs, fieldsOf, noStoreFields, purge } = edge as Partial<Edge>;
  return (
    typeof name === 'string' &&
    Number.isInteger(settleMs) &&
    settleMs! >= 0 &&
    Array.isArray(noStoreFields) &&
    typeof fieldsOf === 'function' &&
    typeof purge === 'function'
  );
}

const STORE_FUNCTIONS = [
  ...(['open', 'version', 'get', 'set', 'delete', 'purge', 'lease', 'close'] as const),
] satisfies readonly (keyof PageStore)[];

function resolvePurgeEndpoint(
  options: NonNullable<CacheOptions['purgeEndpoint']>,
  isBuilt: boolean,
): ResolvedCacheOptions['purgeEndpoint'] {
  check('cache.purgeEndpoint', options, isOptionObject(options), 'an object with path and token');
  assertKnownOptions(options, ['path', 'token'], 'cache.purgeEndpoint');
  const { path, token } = options;
  const isPlain = isTarget(path) && !path.includes('?');
  check('cache.purgeEndpoint.path', path, isPlain, 'a path from "/", without a query');
  const checked = checkToken('cache.purgeEndpoint.token', token, isBuilt);
  return checked === undefined ? undefined : { path, token: checked };
}

/** @returns undefined for an edge without its secrets, where these may be missing. */
function withSecrets(edge: Edge, isBuilt: boolean): Edge | undefined {
  const [name] = edge.missingOptions ?? [];
  if (name === undefined) return edge;
  if (!isBuilt) return undefined;
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${name} of cache.edge is missing: set the environment variable that it is read from`,
  );
}

const PREWARM_NAMES: readonly string[] = [
  ...(['paths', 'sitemap', 'origin', 'headers', 'concurrency', 'blocksReady'] as const),
] satisfies readonly (keyof PrewarmOptions)[];

function checkPrewarm(options: PrewarmOptions): void {
  check(
    'cache.prewarm',
    options,
    isOptionObject(options),
    'an object with origin, and with paths or sitemap',
  );
  assertKnownOptions(options, PREWARM_NAMES, 'cache.prewarm');
  const { paths, sitemap, origin, headers, concurrency = 1, blocksReady } = options;
  const isPaths = paths === undefined || isList(paths, isPath);
  check('cache.prewarm.paths', paths, isPaths, 'a list of paths from "/"');
  const isSitemap = sitemap === undefined || (typeof sitemap === 'string' && sitemap !== '');
  check('cache.prewarm.sitemap', sitemap, isSitemap, "a file's path");
  const isSource = paths !== undefined || sitemap !== undefined;
  check('cache.prewarm', options, isSource, 'an object with paths or sitemap');
  const isOrigin =
    typeof origin === 'string' &&
    URL.canParse(origin) &&
    new URL(origin).origin === origin &&
    /^https?:/.test(origin);
  check('cache.prewarm.origin', origin, isOrigin, 'an origin: "https://shop.example"');
  const isHeaders =
    headers === undefined || (isOptionObject(headers) && Object.entries(headers).every(isField));
  check('cache.prewarm.headers', headers, isHeaders, 'an object of request field names and values');
  checkCount('cache.prewarm.concurrency', concurrency, 1);
  const isFlag = blocksReady === undefined || typeof blocksReady === 'boolean';
  check('cache.prewarm.blocksReady', blocksReady, isFlag, 'true or false');
}

function isField([name, value]: [string, unknown]): boolean {
  return isFieldName(name) && typeof value === 'string' && isFieldValue(value);
}

function checkNonce(options: NonNullable<CacheOptions['nonce']>): void {
  check('cache.nonce', options, isOptionObject(options), 'an object with placeholder and policy');
  assertKnownOptions(options, ['placeholder', 'policy'], 'cache.nonce');
  const { placeholder, policy } = options;
  const isPlaceholder = typeof placeholder === 'string' && BASE64.test(placeholder);
  check('cache.nonce.placeholder', placeholder, isPlaceholder, '8 or more characters of base64');
  const hasPlaceholder = typeof policy === 'string' && policy.includes(`'nonce-${placeholder}'`);
  check(
    'cache.nonce.policy',
    policy,
    hasPlaceholder,
    `a policy that contains 'nonce-${String(placeholder).slice(0, MOST_SHOWN)}'`,
  );
  check(
    'cache.nonce.policy',
    policy,
    isFieldValue(policy),
    'a field value: no line breaks, Latin-1',
  );
}
