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

/** The options of every ng-ssr server, whatever its framework. */
export interface SsrOptions {
  /** Renders pages that are not held: `appEngine()`, `commonEngine()`, or your own function. */
  readonly engine: RenderEngine;
  /**
   * The hosts this server answers for: names, `*.example.com` for sub-domains, `*` for any. Without a port, a host is
   * answered at the port on which the request arrived, at one in a trusted `X-Forwarded-Port`, and without one; with a
   * port (`localhost:8080`) at that port alone.
   * Default: NG_ALLOWED_HOSTS (comma-separated). `security.allowedHosts` of angular.json is added.
   * A function is asked once for a host, `async (host) => tenants.has(host)`; what it says is remembered for a
   * minute, `false` for 10 seconds. While it fails, or after 5 seconds, hosts that are not known get 503.
   * A request for another host gets 400, so that a client cannot make the server render for a foreign host.
   * `onError` gets each refused host once (`NG_SSR_HOST_NOT_ALLOWED`), at most 20 hosts. Under `ng serve`
   * its own `allowedHosts` apply.
   *
   * @see https://angular.dev/best-practices/security#preventing-server-side-request-forgery-ssrf
   */
  readonly allowedHosts?: readonly string[] | HostCheck | undefined;
  /**
   * Which of `Forwarded` and `X-Forwarded-*` determine the requested URL: all, none, or those listed.
   * Trust them only behind a proxy that overwrites them. A list may have other `X-Forwarded-*` for your pages, and
   * no misspelt ones. Default: NG_TRUST_PROXY_HEADERS, else none.
   */
  readonly trustProxyHeaders?: boolean | readonly ProxyHeader[] | undefined;
  /**
   * The files that the build made: where they are, and how they are held, encoded and cached. Default: those beside the
   * server bundle.
   */
  readonly files?: FilesOptions | undefined;
  /**
   * Stored pages: rendered pages that their Cache-Control or their route's rule lets a shared cache
   * store (RFC 9111) are answered from memory. `false` stores nothing, as does `ng serve`. Default: 256 MiB of them.
   */
  readonly cache?: CacheOptions | false | undefined;
  /**
   * How pages are stored and which fallbacks they have, by path: `'/products/**'` for a path and all below
   * it, `*` or `:name` for one segment. The most specific rule applies. Paths are compared as Angular's
   * router reads them: escapes decoded, without matrix parameters, a trailing slash and the base href. Default: none.
   */
  readonly routeRules?: Readonly<Record<string, RouteRule>> | undefined;
  /**
   * Limits concurrent renders, queue length and render time, and chooses the fallbacks. Default: 16 renders at a time,
   * 10 s for a page, 30 s for a render.
   */
  readonly render?: RenderOptions | undefined;
  /**
   * What the server does beside answering with files and pages: `[withInspector()]`. They are asked in this order.
   * Default: none.
   */
  readonly features?: readonly Feature[] | undefined;
  /** Paths of the liveness and readiness probes. Default: none. */
  readonly probes?: ProbeOptions | undefined;
  /**
   * Built pages that browsers get in place of short texts: for paths without a page, failures and
   * overload. `false` keeps the texts. Default: those of `/404`, `/404.html`, `/500`, `/500.html`, `/503`
   * and `/503.html` that the build has.
   */
  readonly errorPages?: ErrorPageOptions | false | undefined;
  /** Whether a 500 shows the error. Default: only when NODE_ENV is not `production`. */
  readonly errorDetails?: boolean | undefined;
  /** Called once for each problem. Default: one line with its cause on stderr. */
  readonly onError?: ((error: SsrError) => void) | undefined;
  /**
   * Called once, when the server closes and the last request is answered, to release resources of pages,
   * such as a connection pool. A promise is awaited, within the `timeoutMs` of `shutdown`. If it throws,
   * `onError` gets `NG_SSR_CLOSE_FAILED`, `close()` rejects, and the process exits with 1. Default: none.
   */
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
