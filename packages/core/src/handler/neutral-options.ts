import { assertKnownOptions, check, checkMs, isOptionObject } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { resolveErrorPages } from '../files/error-page-options.ts';
import { assertManifest, type BuildManifest } from '../files/manifest/build-manifest.ts';
import type { CacheOptions } from '../pages/options/cache-options.ts';
import {
  resolveCacheOptions,
  type ResolvedCacheOptions,
} from '../pages/options/resolve-cache-options.ts';
import { resolveBots } from '../render/bot-options.ts';
import { checkFallbacks, FALLBACKS } from '../render/fallbacks.ts';
import type { RenderOptions, ResolvedRenderOptions } from '../render/render-options.ts';
import type { ResolvedOptions, SsrOptions } from './options.ts';
import {
  resolveAllowedHosts,
  resolveErrorDetails,
  resolveOnError,
  resolveRouteRules,
  resolveServerTiming,
  resolveTrust,
} from './resolve-options.ts';

/** Options of a server on a platform without Node's modules. */
export interface NeutralOptions extends Pick<
  SsrOptions,
  'engine' | 'trustProxyHeaders' | 'routeRules' | 'serverTiming' | 'errorPages' | 'onError'
> {
  /** As on Node, but no function. Default: NG_ALLOWED_HOSTS where the platform has it. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * The build's files, as `ng-ssr pack --manifest` has written them. Default: none, as under `ng serve`: no files
   * are answered, and no pages stored.
   */
  readonly manifest?: BuildManifest | undefined;
  /** Stored pages, in the memory of each isolate. `false` stores none. Default: 16 MiB of them. */
  readonly cache?: NeutralCacheOptions | false | undefined;
  /** Limits the time of renders, and chooses the fallbacks. The platform limits their number. Default: 10 s for a page, 30 s for a render. */
  readonly render?: NeutralRenderOptions | undefined;
  /** Whether a 500 shows the error. Default: only without a manifest. */
  readonly errorDetails?: boolean | undefined;
}

/** The options of stored pages that need no Node. */
export type NeutralCacheOptions = Pick<
  CacheOptions,
  'maxBytes' | 'languages' | 'ignoredQuery' | 'purgeEndpoint' | 'invalidateOnUnsafeMethods'
>;

/** The options of renders that need no Node. */
export type NeutralRenderOptions = Pick<
  RenderOptions,
  'deadlineMs' | 'timeoutMs' | 'fallbacks' | 'prefetch' | 'bots'
>;

/** Options with every default filled in. */
export interface ResolvedNeutralOptions extends Pick<
  ResolvedOptions,
  | 'engine'
  | 'allowedHosts'
  | 'trustProxyHeaders'
  | 'routeRules'
  | 'serverTiming'
  | 'errorPages'
  | 'errorDetails'
  | 'onError'
> {
  readonly manifest: BuildManifest | undefined;
  readonly cache: ResolvedCacheOptions | false;
  readonly render: Pick<
    ResolvedRenderOptions,
    | 'deadlineMs'
    | 'timeoutMs'
    | 'fallbacks'
    | 'prefetch'
    | 'bots'
    | 'encodings'
    | 'concurrency'
    | 'maxQueued'
  >;
}

/** The names of {@link NeutralOptions}. */
export const NEUTRAL_OPTION_NAMES: readonly (keyof NeutralOptions)[] = [
  'engine',
  'allowedHosts',
  'trustProxyHeaders',
  'routeRules',
  'serverTiming',
  'errorPages',
  'onError',
  'manifest',
  'cache',
  'render',
  'errorDetails',
];

/** Options of servers on Node alone, by the group they are in. */
const OF_NODE: Readonly<Record<'' | 'cache.' | 'render.', readonly string[]>> = {
  '': [
    'files',
    'builds',
    'calls',
    'earlyHints',
    'dictionaries',
    'requestLog',
    'probes',
    'onClose',
    'publicConfig',
    'inspector',
    'speculationRules',
  ],
  'cache.': ['maxCallBytes', 'edge', 'encodings', 'store', 'buildId', 'prewarm', 'nonce'],
  'render.': [
    'workers',
    'maxHeapMb',
    'recycleAfter',
    'niceness',
    'concurrency',
    'maxQueued',
    'encodings',
  ],
};

/** Isolates have 128 MB for the program and its pages. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * A render that is queued would start in the context of another request, which platforms forbid: none is queued.
 */
const UNLIMITED = { concurrency: 1_000_000, maxQueued: 0, encodings: [] };

/**
 * Refuses an option that a server on Node has, and this one has not.
 *
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`
 */
export function assertNoNodeOptions(options: object, group: '' | 'cache.' | 'render.' = ''): void {
  const name = OF_NODE[group].find((each) => Object.hasOwn(options, each));
  if (name === undefined) return;
  throw new SsrError(
    'NG_SSR_OPTION_UNKNOWN',
    `the option ${group}${name} needs Node's modules: servers on Node, Bun and Deno have it (@ng-ssr/fetch)`,
  );
}

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_PACK_INVALID` */
export function resolveNeutralOptions(options: NeutralOptions): ResolvedNeutralOptions {
  const { engine, manifest, errorDetails = manifest === undefined } = options;
  check('engine', engine, typeof engine === 'function', 'a function (request) => Response | null');
  if (manifest !== undefined) assertManifest(manifest);
  const { allowedHosts } = options;
  const isList = (allowedHosts as unknown) === undefined || Array.isArray(allowedHosts);
  check('allowedHosts', allowedHosts, isList, 'a list of host names');
  return {
    engine,
    manifest,
    allowedHosts: resolveAllowedHosts(allowedHosts),
    trustProxyHeaders: resolveTrust(options.trustProxyHeaders),
    routeRules: resolveRouteRules(options.routeRules, undefined),
    serverTiming: resolveServerTiming(options.serverTiming),
    errorPages: resolveErrorPages(options.errorPages),
    errorDetails: resolveErrorDetails(errorDetails),
    onError: resolveOnError(options.onError),
    cache: resolveCache(options.cache, manifest !== undefined),
    render: resolveRender(options.render),
  };
}

function resolveCache(
  cache: NeutralOptions['cache'],
  isBuilt: boolean,
): ResolvedCacheOptions | false {
  // What is no object of options is refused there.
  if (cache !== undefined && !isOptionObject(cache)) return resolveCacheOptions(cache, [], isBuilt);
  if (cache !== undefined) assertNoNodeOptions(cache, 'cache.');
  return resolveCacheOptions({ maxBytes: CACHE_BYTES, ...cache }, [], isBuilt);
}

const RENDER_NAMES: readonly string[] = [
  ...(['deadlineMs', 'timeoutMs', 'fallbacks', 'prefetch', 'bots'] as const),
] satisfies readonly (keyof NeutralRenderOptions)[];

function resolveRender(options: NeutralRenderOptions = {}): ResolvedNeutralOptions['render'] {
  check('render', options, isOptionObject(options), 'an object of options');
  assertNoNodeOptions(options, 'render.');
  assertKnownOptions(options, RENDER_NAMES, 'render');
  const {
    deadlineMs = 10_000,
    timeoutMs = 30_000,
    fallbacks = FALLBACKS,
    prefetch = false,
    bots,
  } = options;
  checkMs('render.deadlineMs', deadlineMs, 1);
  checkMs('render.timeoutMs', timeoutMs, 1);
  checkFallbacks('render.fallbacks', fallbacks);
  check('render.prefetch', prefetch, typeof prefetch === 'boolean', 'true or false');
  return { ...UNLIMITED, deadlineMs, timeoutMs, fallbacks, prefetch, bots: resolveBots(bots) };
}
