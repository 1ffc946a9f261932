import type { RenderEngine } from '../engine.ts';
import { readOption } from '../check-option.ts';
import type { SsrError } from '../errors.ts';
import { type ErrorPageOptions, resolveErrorPages } from '../files/error-page-options.ts';
import {
  type FilesOptions,
  type ResolvedFilesOptions,
  resolveFilesOptions,
} from '../files/files-options.ts';
import type { HostCheck } from '../host/host-check.ts';
import type { Feature } from '../path/feature.ts';
import { features } from '../path/feature-option.ts';
import type { OwnFeature } from '../path/own-feature.ts';
import { callable, flag } from '../options/option-values.ts';
import { refuseFormerOptions } from '../options/former-options.ts';
import { optional, resolveTable, type Table } from '../options/option.ts';
import {
  type RenderOptions,
  type ResolvedRenderOptions,
  resolveRenderOptions,
} from '../render/render-options.ts';
import type { CacheOptions, RouteRule } from '../pages/options/cache-options.ts';
import {
  resolveCacheOptions,
  type ResolvedCacheOptions,
} from '../pages/options/resolve-cache-options.ts';
import { type ProbeOptions, probes, type ResolvedProbes } from '../probes/probe-options.ts';
import type { ProxyHeader } from '../host/proxy-headers.ts';
import { allowedHosts, engine, onError, routeRules, trustProxyHeaders } from './resolve-options.ts';

/** Options of every ng-ssr server. */
export interface SsrOptions {
  /** Renders pages: `appEngine()`, `commonEngine()` or your own function. */
  readonly engine: RenderEngine;
  /**
   * Hosts to render pages for: `shop.example`, `*.shop.example`, or a function; others get 400. `security.allowedHosts`
   * of angular.json also counts. Default: NG_ALLOWED_HOSTS (comma-separated).
   *
   * @see https://angular.dev/best-practices/security#preventing-server-side-request-forgery-ssrf
   */
  readonly allowedHosts?: readonly string[] | HostCheck | undefined;
  /**
   * Proxy headers that determine the URL; `true` means `Forwarded` and `X-Forwarded-*`. Trust only headers that your
   * proxy overwrites. Default: NG_TRUST_PROXY_HEADERS.
   */
  readonly trustProxyHeaders?: boolean | readonly ProxyHeader[] | undefined;
  /** The built browser files. Default: the browser folder of the build. */
  readonly files?: FilesOptions | undefined;
  /**
   * Keeps pages in memory if their Cache-Control or a route rule allows it (RFC 9111). Default: up to 256 MiB; off
   * under `ng serve`.
   */
  readonly cache?: CacheOptions | false | undefined;
  /**
   * Rules for pages; only the most specific applies. `'/products/**'` matches a path and all below it, `*` or `:name`
   * one segment. Default: none.
   */
  readonly routeRules?: Readonly<Record<string, RouteRule>> | undefined;
  /** Limits renders, and chooses a fallback for requests that would wait too long. Default: those of its options. */
  readonly render?: RenderOptions | undefined;
  /** Features, in the order in which they run. Default: none. */
  readonly features?: readonly Feature[] | undefined;
  /** Paths of probes. Default: none. */
  readonly probes?: ProbeOptions | undefined;
  /** Built pages for errors; `false` sends a short text. Default: `/404`, `/404.html` and so on. */
  readonly errorPages?: ErrorPageOptions | false | undefined;
  /** Shows the error in a 500 response. Default: true, unless NODE_ENV is `production`. */
  readonly errorDetails?: boolean | undefined;
  /** Called once for each problem. Default: prints it to stderr. */
  readonly onError?: ((error: SsrError) => void) | undefined;
  /** Releases resources after the last request. Awaited within `shutdown.timeoutMs`. Default: none. */
  readonly onClose?: (() => void | Promise<void>) | undefined;
}

/** Options with every default filled in; undefined means none. */
export type ResolvedOptions = {
  readonly [name in Exclude<keyof SsrOptions, keyof ResolvedGroups>]-?:
    Exclude<SsrOptions[name], undefined> | Optional<name>;
} & ResolvedGroups;

interface ResolvedGroups {
  readonly files: ResolvedFilesOptions;
  readonly cache: ResolvedCacheOptions | false;
  readonly render: ResolvedRenderOptions;
  readonly probes: ResolvedProbes | undefined;
  readonly features: readonly OwnFeature[];
}

type Optional<Name> = Name extends 'onClose' ? undefined : never;

/** What options depend on: the built files, and whether there are any. Without, as under `ng build`, secrets may be missing. */
interface Build {
  readonly files: ResolvedFilesOptions;
  readonly isBuilt: boolean;
}

/** The options of every server on Node, in the order in which they are checked. */
const SSR_TABLE: Table<ResolvedOptions, Build> = {
  engine,
  allowedHosts,
  trustProxyHeaders,
  files: (_name, _given, { files }) => files,
  cache: (_name, given, { files }) => resolveCacheOptions(given as CacheOptions, files.encodings),
  routeRules,
  render: (_name, given, { files }) =>
    resolveRenderOptions(given as RenderOptions, files.encodings),
  features,
  probes: optional(probes),
  errorPages: (_name, given) => resolveErrorPages(given as ErrorPageOptions),
  errorDetails: (name, given) => flag(process.env['NODE_ENV'] !== 'production')(name, given),
  onError,
  onClose: optional(callable<() => void | Promise<void>>('a function () => void | Promise<void>')),
};

/** The names of {@link SsrOptions}, for {@link assertKnownOptions}. */
export const OPTION_NAMES: readonly string[] = Object.keys(SSR_TABLE);

/**
 * Checks the options and fills in defaults.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` or `NG_SSR_OPTION_UNKNOWN`, naming the option, the
 * value received and what is allowed; `NG_SSR_BROWSER_FOLDER_MISSING`.
 */
export function resolveOptions(options: SsrOptions): ResolvedOptions {
  refuseFormerOptions(options);
  const browserFolder = readOption('engine', () =>
    engine('engine', options.engine).browserFolder?.bind(options.engine),
  );
  const files = readOption('files', () => resolveFilesOptions(options.files, browserFolder));
  const build = { files, isBuilt: files.folder !== undefined };
  return resolveTable(SSR_TABLE, options, build);
}
