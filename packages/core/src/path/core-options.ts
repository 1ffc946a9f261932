import type { RenderEngine } from '../engine.ts';
import type { ErrorPageOptions } from '../files/error-page-options.ts';
import type { HostCheck } from '../host/host-check.ts';
import type { RouteRule } from '../pages/options/cache-options.ts';
import type { ResolvedCacheOptions } from '../pages/options/resolve-cache-options.ts';
import type { ResolvedRenderOptions } from '../render/render-options.ts';

/** The options of every server, on all platforms, with every default filled in. */
export interface CoreOptions {
  readonly engine: RenderEngine;
  readonly allowedHosts: readonly string[] | HostCheck;
  readonly trustProxyHeaders: boolean | readonly string[];
  readonly routeRules: Readonly<Record<string, RouteRule>>;
  readonly cache: ResolvedCacheOptions | false;
  readonly render: ResolvedRenderOptions & { readonly concurrency: number };
  readonly errorPages: ErrorPageOptions | false;
  /** Whether a 500 shows the error. */
  readonly errorDetails: boolean;
}
