import { check, isOptionObject, readOption } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { type ErrorPageOptions, resolveErrorPages } from '../files/error-page-options.ts';
import { assertManifest, type BuildManifest } from '../files/manifest/build-manifest.ts';
import { flag } from '../options/option-values.ts';
import { group, optional, resolveTable, type Table } from '../options/option.ts';
import type { CacheOptions } from '../pages/options/cache-options.ts';
import {
  resolveCacheOptions,
  type ResolvedCacheOptions,
} from '../pages/options/resolve-cache-options.ts';
import { NEUTRAL_RENDER_TABLE } from '../render/neutral-render-options.ts';
import type { RenderOptions } from '../render/render-options.ts';
import type { CoreOptions } from '../path/core-options.ts';
import type { Feature } from '../path/feature.ts';
import type { OwnFeature } from '../path/own-feature.ts';
import { features } from '../path/feature-option.ts';
import type { SsrOptions } from './options.ts';
import { allowedHosts, engine, onError, routeRules, trustProxyHeaders } from './resolve-options.ts';

/** Options of a server on a platform without Node's modules. */
export interface NeutralOptions extends Pick<
  SsrOptions,
  'engine' | 'trustProxyHeaders' | 'routeRules' | 'errorPages' | 'onError'
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
  /** As on Node. Default: none. */
  readonly features?: readonly Feature[] | undefined;
  /** Whether a 500 shows the error. Default: only without a manifest. */
  readonly errorDetails?: boolean | undefined;
}

/** The options of stored pages that need no Node. */
export interface NeutralCacheOptions extends Pick<
  CacheOptions,
  'languages' | 'ignoredQuery' | 'invalidateOnUnsafeMethods'
> {
  /** Bounds the memory of all stored pages of an isolate. In bytes; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

/** The options of renders that need no Node. */
export type NeutralRenderOptions = Pick<
  RenderOptions,
  'deadlineMs' | 'timeoutMs' | 'fallbacks' | 'prefetch' | 'bots'
>;

/** Options with every default filled in. */
export interface ResolvedNeutralOptions extends CoreOptions {
  readonly features: readonly Feature[];
  readonly manifest: BuildManifest | undefined;
  readonly onError: (error: SsrError) => void;
}

/** Isolates have 128 MB for the program and its pages. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * A render that is queued would start in the context of another request, which platforms forbid: none is queued.
 */
const UNLIMITED = { concurrency: 1_000_000, maxQueued: 0, encodings: [] };

const neutralRender = group(NEUTRAL_RENDER_TABLE);

const NEUTRAL_TABLE: Table<ResolvedNeutralOptions, { readonly isBuilt: boolean }> = {
  engine,
  manifest: optional((_name, given) => {
    assertManifest(given as BuildManifest);
    return given as BuildManifest;
  }),
  allowedHosts: (name, given) => {
    const isList = given === undefined || Array.isArray(given);
    check(name, given, isList, 'a list of host names');
    return allowedHosts(name, given);
  },
  trustProxyHeaders,
  routeRules,
  errorPages: (_name, given) => resolveErrorPages(given as ErrorPageOptions),
  errorDetails: (name, given, { isBuilt }) => flag(!isBuilt)(name, given),
  onError,
  cache: (_name, given) => resolveCache(given),
  features: (name, given) => {
    const all: readonly OwnFeature[] = features(name, given);
    for (const each of all) if (each.isForNode === true) throw needsNode(nameOf(each.name));
    return all;
  },
  render: (name, given = {}) => {
    if (isOptionObject(given)) assertNoNodeOptions(given, 'render.');
    return { ...UNLIMITED, ...neutralRender(name, given) };
  },
};

/** The names of {@link NeutralOptions}. */
export const NEUTRAL_OPTION_NAMES: readonly string[] = Object.keys(NEUTRAL_TABLE);

type OfNode<Options, Neutral> = Readonly<Record<Exclude<keyof Options, keyof Neutral>, true>>;

interface NamesOfNode {
  /** With options that have become features, which need Node's modules as they did. */
  readonly '': OfNode<SsrOptions, NeutralOptions> & Readonly<Record<string, true>>;
  readonly 'cache.': OfNode<CacheOptions, NeutralCacheOptions> &
    Readonly<Record<'store' | 'buildId' | 'edge' | 'nonce' | 'prewarm', true>>;
  readonly 'render.': OfNode<RenderOptions, NeutralRenderOptions>;
}

/** Options of servers on Node alone, by the group they are in. */
const OF_NODE: NamesOfNode = {
  '': {
    ...({ files: true, builds: true, calls: true, publicConfig: true, earlyHints: true } as const),
    ...({ dictionaries: true, speculationRules: true, locales: true, requestLog: true } as const),
    ...({ inspector: true, probes: true, onClose: true } as const),
  },
  'cache.': {
    ...({ maxCallBytes: true, edge: true, encodings: true, store: true, buildId: true } as const),
    ...({ prewarm: true, nonce: true } as const),
  },
  'render.': {
    ...({ workers: true, maxHeapMb: true, recycleAfter: true, niceness: true } as const),
    ...({ concurrency: true, maxQueued: true, encodings: true } as const),
  },
};

/**
 * Refuses an option that a server on Node has, and this one has not.
 *
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`
 */
export function assertNoNodeOptions(options: object, group: '' | 'cache.' | 'render.' = ''): void {
  const name = Object.keys(OF_NODE[group]).find((each) => Object.hasOwn(options, each));
  if (name !== undefined) throw needsNode(`the option ${group}${name}`);
}

/** As users write it: `withOldBuilds()` of `old-builds`. */
function nameOf(feature: string): string {
  const words = feature.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `with${words.join('')}()`;
}

function needsNode(what: string): SsrError {
  const message = `${what} needs Node's modules: servers on Node, Bun and Deno have it (@ng-ssr/fetch)`;
  return new SsrError('NG_SSR_OPTION_UNKNOWN', message);
}

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_PACK_INVALID` */
export function resolveNeutralOptions(options: NeutralOptions): ResolvedNeutralOptions {
  const isBuilt = readOption('manifest', () => options.manifest !== undefined);
  return resolveTable(NEUTRAL_TABLE, options, { isBuilt });
}

function resolveCache(given: unknown): ResolvedCacheOptions | false {
  if (isOptionObject(given)) assertNoNodeOptions(given, 'cache.');
  const isObject = given === undefined || isOptionObject(given);
  const options = isObject ? { maxBytes: CACHE_BYTES, ...given } : given;
  return resolveCacheOptions(options as CacheOptions, []);
}
