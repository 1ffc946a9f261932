import { check, isOptionObject, readOption } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { type ErrorPageOptions, resolveErrorPages } from '../files/error-page-options.ts';
import { assertManifest, type BuildManifest } from '../files/manifest/build-manifest.ts';
import { insteadOf, isFeature, namesOf } from '../options/former-options.ts';
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
  /** As on Node, without a function. Default: NG_ALLOWED_HOSTS. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * The module that `ng-ssr pack --manifest` writes. Without it no files are served and no pages cached. Default: none.
   */
  readonly manifest?: BuildManifest | undefined;
  /**
   * Pages in the memory of each isolate. Also `languages`, `ignoredQuery` and `invalidateOnUnsafeMethods`, as on Node.
   * Default: up to 16 MiB.
   */
  readonly cache?: NeutralCacheOptions | false | undefined;
  /** Limits the time of renders; the platform limits their number. Default: those of its options. */
  readonly render?: NeutralRenderOptions | undefined;
  /** As on Node. Default: none. */
  readonly features?: readonly Feature[] | undefined;
  /** Shows the error in a 500 response. Default: true without a manifest, else false. */
  readonly errorDetails?: boolean | undefined;
}

/** Cache options of platforms without Node. */
export interface NeutralCacheOptions extends Pick<
  CacheOptions,
  'languages' | 'ignoredQuery' | 'invalidateOnUnsafeMethods'
> {
  /** Memory in each isolate. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Render options of platforms without Node. */
export type NeutralRenderOptions = Pick<
  RenderOptions,
  'maxWaitMs' | 'timeoutMs' | 'fallbacks' | 'prefetch' | 'bots'
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
    for (const { name, isForNode } of all) {
      if (isForNode) throw needsNode(nameOf(name), isForNode === true ? undefined : isForNode);
    }
    return all;
  },
  render: (name, given = {}) => ({ ...UNLIMITED, ...neutralRender(name, given) }),
};

/** The names of {@link NeutralOptions}. */
export const NEUTRAL_OPTION_NAMES: readonly string[] = Object.keys(NEUTRAL_TABLE);

type OfNode = Exclude<keyof SsrOptions, keyof NeutralOptions>;
type CacheOfNode = `cache.${Exclude<keyof CacheOptions, keyof NeutralCacheOptions>}`;
type RenderOfNode = `render.${Exclude<keyof RenderOptions, keyof NeutralRenderOptions>}`;

/** Options of servers on Node alone. */
const OF_NODE: Readonly<Record<OfNode | CacheOfNode | RenderOfNode, true>> = {
  files: true,
  probes: true,
  onClose: true,
  'cache.encodings': true,
  'render.concurrency': true,
  'render.maxQueued': true,
  'render.encodings': true,
};

/** Options that have become features need Node's modules as they did, but for these. */
const NEUTRAL_FEATURE = /^with(?:PurgeEndpoint|ServerTiming)\b/;

/**
 * Refuses options that a server on Node has, and this one has not.
 *
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`
 */
export function assertNoNodeOptions(options: object): void {
  const found = namesOf(options).filter((name) => {
    const instead = insteadOf(name);
    return instead === undefined || !isFeature(instead)
      ? Object.hasOwn(OF_NODE, name)
      : !NEUTRAL_FEATURE.test(instead);
  });
  const names = found.join(', ');
  if (found.length > 0)
    throw needsNode(found.length > 1 ? `each of the options ${names}` : `the option ${names}`);
}

/** As users write it: `withOldBuilds()` of `old-builds`. */
function nameOf(feature: string): string {
  const words = feature.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `with${words.join('')}()`;
}

function needsNode(
  what: string,
  needed = "Node's modules: servers on Node, Bun and Deno have it (@ng-ssr/fetch)",
): SsrError {
  return new SsrError('NG_SSR_OPTION_UNKNOWN', `${what} needs ${needed}`);
}

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_PACK_INVALID` */
export function resolveNeutralOptions(options: NeutralOptions): ResolvedNeutralOptions {
  assertNoNodeOptions(options);
  const isBuilt = readOption('manifest', () => options.manifest !== undefined);
  return resolveTable(NEUTRAL_TABLE, options, { isBuilt });
}

function resolveCache(given: unknown): ResolvedCacheOptions | false {
  const isObject = given === undefined || isOptionObject(given);
  const options = isObject ? { maxBytes: CACHE_BYTES, ...given } : given;
  return resolveCacheOptions(options as CacheOptions, []);
}
