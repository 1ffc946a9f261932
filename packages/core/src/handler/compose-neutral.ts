import { NO_CODER } from '../answers/coder.ts';
import { PageAnswers } from '../answers/page-answers.ts';
import type { SsrError } from '../errors.ts';
import { CsrPages } from '../files/csr-pages.ts';
import { ErrorPages } from '../files/error-pages.ts';
import type { FetchAsset } from '../files/manifest/asset-file.ts';
import { ManifestIndex } from '../files/manifest/manifest-index.ts';
import { toAllowedHosts } from '../host/allowed-hosts.ts';
import { toProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { SiteReader } from '../host/site.ts';
import { TargetReader } from '../pages/key/asked-page.ts';
import { PageCache } from '../pages/page-cache.ts';
import { RouteRules } from '../pages/policy/route-rules.ts';
import { PurgeEndpoint } from '../pages/purge-endpoint.ts';
import { UnstoredPages } from '../pages/unstored-pages.ts';
import { renderInIsolate } from '../render/in-isolate.ts';
import { Scheduler } from '../render/scheduler.ts';
import { EngineHost } from './engine-host.ts';
import { Failures } from './failures.ts';
import type { ResolvedNeutralOptions } from './neutral-options.ts';
import { OverloadLadder } from './overload-ladder.ts';
import type { PathParts } from './path-parts.ts';
import { noticeOfRenderRules, RenderRules } from './render-rules.ts';
import { reportOnce } from './report-once.ts';

/** The parts of a handler on a platform without Node's modules. */
export interface NeutralParts extends PathParts {
  readonly targets: TargetReader;
  /** Called with the first request. */
  readonly readSites: () => SiteReader;
}

/** Makes the parts of a handler without folders, threads, codings of rendered pages, calls, log and probes. */
export function composeNeutral(
  options: ResolvedNeutralOptions,
  fetchAsset: FetchAsset | undefined,
): NeutralParts {
  const { manifest, cache, render, errorDetails, trustProxyHeaders } = options;
  const isTrusted = toProxyHeaderPredicate(trustProxyHeaders, 'trustProxyHeaders');
  const report: (error: SsrError) => void = reportOnce(options.onError);
  const host = new EngineHost({ ...options, files: { folder: undefined } }, undefined);
  const isBuilt = manifest !== undefined;
  const built = isBuilt
    ? new ManifestIndex(manifest, host.locales() ?? {}, fetchAsset)
    : NOTHING_BUILT;
  const errorPages = new ErrorPages(isBuilt && options.errorPages, built, undefined);
  const rules = new RouteRules(options.routeRules, built.baseHref);
  const csrPages = new CsrPages(built);
  const noCsrPage = isBuilt && noticeOfRenderRules(options.routeRules, csrPages);
  if (noCsrPage) options.onError(noCsrPage);
  const scheduler = new Scheduler(renderInIsolate(host, report), render);
  const answers = new PageAnswers([], NO_CODER, undefined);
  const isStored = cache !== false && isBuilt;
  const pages = isStored
    ? new PageCache({
        cache,
        buildId: () => manifest.buildId,
        render,
        errorDetails,
        isTrusted,
        rules,
        scheduler,
        nonce: undefined,
        coder: NO_CODER,
        answers,
        dictionaries: undefined,
        edge: undefined,
        homePages: new Map(),
        onError: report,
      })
    : new UnstoredPages(scheduler, answers, isTrusted);
  const endpoint = isStored ? cache.purgeEndpoint : undefined;

  return {
    options,
    isBuilt,
    built,
    otherBuilds: undefined,
    constantPages: NOTHING_BUILT,
    pageFileCodings: undefined,
    pages,
    earlyHints: undefined,
    inspector: undefined,
    purgeEndpoint: endpoint && new PurgeEndpoint(endpoint, pages),
    ladder: new OverloadLadder(csrPages, errorPages, undefined, report),
    renderRules: new RenderRules({
      csrPages,
      locales: undefined,
      nonce: undefined,
      isTrusted,
      onError: report,
    }),
    speculationRules: undefined,
    errorPages,
    locales: undefined,
    localeRedirects: undefined,
    failures: new Failures(options, errorPages, report, undefined),
    nonce: undefined,
    log: undefined,
    main: undefined,
    report,
    targets: new TargetReader(rules, isStored ? cache.ignoredQuery : undefined),
    readSites: () =>
      new SiteReader(
        toAllowedHosts(host.allowedHosts()),
        isTrusted,
        trustProxyHeaders !== false,
        undefined,
      ),
  };
}

const NOTHING_BUILT = {
  baseHref: '/',
  hasCsrPage: false,
  find: () => undefined,
  findLarge: () => undefined,
};
