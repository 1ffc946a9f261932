import {
  assertNoNodeOptions,
  type BuildManifest,
  callable,
  copyOptions,
  type FetchAsset,
  NEUTRAL_OPTION_NAMES,
  NeutralHandler,
  type NeutralOptions,
  optional,
  splitTable,
  withDefault,
} from '@ng-ssr/core/neutral';
import type { StoredPages } from '@ng-ssr/core';
import { createHalves, type Halves } from './halves.ts';
import { NeutralExchange } from './neutral-exchange.ts';
import { toReqHandler } from './to-req-handler.ts';
import { type ResponseFactory } from './to-response.ts';

/** Options of {@link createNeutralSsrHandler}; `Rest` lists the arguments that follow the Request. */
export interface NeutralSsrOptions<
  Rest extends readonly unknown[] = readonly unknown[],
> extends NeutralOptions {
  /**
   * Fetches a file that is not in the manifest: `(request, env) => env.ASSETS.fetch(request)`. A 404 means that there
   * is none; a redirect is an error. Default: the platform serves it.
   */
  readonly assets?: ((request: Request, ...rest: Rest) => Response | Promise<Response>) | undefined;
  /** Returns Angular's `REQUEST_CONTEXT` from the Request and other arguments, such as `env`. Default: null. */
  readonly requestContext?: ((request: Request, ...rest: Rest) => unknown) | undefined;
}

interface OwnOptions<Rest extends readonly unknown[]> {
  readonly assets: NeutralSsrOptions<Rest>['assets'];
  readonly requestContext: (request: Request, ...rest: Rest) => unknown;
}

/** Angular SSR on platforms without Node's modules. */
export interface NeutralSsrHandler<
  Rest extends readonly unknown[] = readonly unknown[],
> extends Halves<Rest> {
  /** Purges and inspects the stored pages of this isolate: each has its own. */
  readonly cache: StoredPages;
  /**
   * The same server with a build's files: what `ng-ssr pack --manifest` has written, which exists only after the
   * build of the program that calls {@link createNeutralSsrHandler}.
   *
   * @throws SsrError `NG_SSR_PACK_INVALID`, and `NG_SSR_OPTION_INVALID` for an error page that it lacks.
   */
  withManifest(manifest: BuildManifest): NeutralSsrHandler<Rest>;
}

/**
 * Creates an Angular SSR handler for Cloudflare Workers and other platforms without Node's modules, in builds with
 * `"ssr": { "platform": "neutral" }`. Requests take the same path as on Node: hosts, files, stored pages, route rules,
 * purges, fallbacks. What a platform does itself, or cannot do, has no option here: docs/deploy/workers.md lists it.
 *
 * The handler takes the arguments of Cloudflare's `fetch`: `(request, env, context)`. It refreshes stale pages, and
 * completes renders that other requests wait for, with the `waitUntil` of the third.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_PACK_INVALID`
 * @example
 * ```ts
 * export const reqHandler = createNeutralSsrHandler({
 *   engine: angularAppEngine(),
 *   allowedHosts: ['shop.example'],
 * });
 * ```
 */
export function createNeutralSsrHandler<Rest extends readonly unknown[] = readonly unknown[]>(
  options: NeutralSsrOptions<Rest>,
): NeutralSsrHandler<Rest> {
  const copy = copyOptions(options);
  assertNoNodeOptions(copy);
  const { own, others } = splitTable<OwnOptions<Rest>, NeutralOptions>(
    {
      assets: optional(callable('a function (request, ...) => Response | Promise<Response>')),
      requestContext: withDefault(callable('a function (request, ...) => unknown'), () => null),
    },
    NEUTRAL_OPTION_NAMES,
    copy,
  );
  const { assets, requestContext } = own;

  const fetchAsset: FetchAsset | undefined =
    assets &&
    (async (path, range, exchange) => {
      const { request, rest } = exchange as NeutralExchange;
      return assets(toAssetRequest(path, range, request), ...(rest as unknown as Rest));
    });
  const handler = new NeutralHandler(others, fetchAsset);
  const { whole, ...halves } = createHalves<Rest>(handler, {
    toExchange: (request, earlier, rest) => new NeutralExchange(request, earlier, rest),
    beside: (earlier) => earlier,
    requestContext,
    create: asEncoded,
  });
  return toReqHandler(
    Object.assign(whole, {
      ...halves,
      cache: handler.cache,
      withManifest: (manifest: BuildManifest) =>
        createNeutralSsrHandler<Rest>({ ...options, manifest }),
    }),
  );
}

/** Content that has a Content-Encoding is encoded already: Cloudflare would code it again. */
const asEncoded: ResponseFactory<Response> = (body, init) =>
  new Response(body, { ...init, encodeBody: 'manual' } as ResponseInit);

/** A GET for a file or a part of it, at the origin of the client's request. Its preconditions have passed. */
function toAssetRequest(
  path: string,
  range: Parameters<FetchAsset>[1],
  { url, headers: given }: Request,
): Request {
  const headers = new Headers();
  if (range !== undefined) headers.set('Range', `bytes=${range.first}-${range.last}`);
  const accepted = given.get('accept-encoding');
  if (accepted !== null && range === undefined) headers.set('Accept-Encoding', accepted);
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return new Request(new URL(url).origin + encoded, { headers, redirect: 'manual' });
}
