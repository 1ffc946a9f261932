import { PageAnswers } from '../answers/page-answers.ts';
import { check, readOption } from '../check-option.ts';
import { ErrorPages } from '../files/error-pages.ts';
import { RequestFiles } from './request-files.ts';
import { toProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { TargetReader } from '../pages/key/page-target.ts';
import { PageCache } from '../pages/page-cache.ts';
import { RouteRules } from '../pages/policy/route-rules.ts';
import { UnstoredPages } from '../pages/unstored-pages.ts';
import { Scheduler } from '../render/scheduler.ts';
import type { CoreOptions } from './core-options.ts';
import type { ErrorReports } from './error-reports.ts';
import { Failures } from './failures.ts';
import { installFeature } from './install-feature.ts';
import type { OwnCore, OwnExtension, OwnFeature, OwnServer } from './own-feature.ts';
import { noticeOfRenderRules } from './render-rules.ts';
import { RequestPath } from './request-path.ts';
import type { Runtime } from './runtime.ts';
import { toPathParts } from './to-path-parts.ts';
import { RequestParser } from './request-parser.ts';

/** What the parts of a server ask its handler. */
export interface HandlerHooks {
  /** Called with the first request. */
  readonly begin: () => void;
  readonly isProbe: (target: string) => boolean;
}

/** The parts of a server, each made once. */
export interface Composition {
  readonly core: OwnCore;
  readonly server: OwnServer;
  readonly parser: RequestParser;
  readonly requestPath: RequestPath;
  /** To be aborted when the server begins to close. */
  readonly closing: AbortController;
  readonly extensions: readonly OwnExtension[];
}

/** Makes the parts of a server, on what its platform provides, and installs its features. */
export function compose(
  runtime: Runtime,
  options: CoreOptions,
  features: readonly OwnFeature[],
  reports: ErrorReports,
  hooks: HandlerHooks,
): Composition {
  const { browserFolder, buildIdOf, encoder, constantPages, index, isBuilt } = runtime;
  const { locales, main, traits } = runtime;
  const { cache, render } = options;
  const { onError, report } = reports;
  const isTrusted = toProxyHeaderPredicate(options.trustProxyHeaders, 'trustProxyHeaders');
  const ownErrorPages = new ErrorPages(isBuilt && options.errorPages, index, locales?.built.all);
  const files = new RequestFiles(index, locales, ownErrorPages);
  const failures = new Failures(options, files, report);
  const names = features.map(({ name }) => name);
  const rules = readOption(
    'routeRules',
    () => new RouteRules(options.routeRules, index.baseHref, locales?.built, names),
  );
  const noCsrPage = isBuilt && main === undefined && noticeOfRenderRules(options.routeRules, files);
  if (noCsrPage) onError(noCsrPage);

  const made: { server?: OwnServer } = {};
  const core: OwnCore = {
    ...{ index, browserFolder, rules, locales, failures, buildIdOf },
    ...{ isTrusted, isBuilt, main, report, onError, render },
    isMain: main === undefined && runtime.isMain,
    threads: runtime.threads,
    get server() {
      return made.server!;
    },
  };
  const extensions = new Map<string, OwnExtension>();
  for (const feature of features) {
    const { name } = feature;
    const allowed = `features with different names; there is another one named ${name}`;
    check('features', name, !extensions.has(name), allowed);
    extensions.set(name, installFeature(feature, core));
  }
  const all = [...extensions.values()];
  for (const each of all) if (each.noteError !== undefined) reports.observe(each.noteError);

  const renderer = all.reduce((inner, { wrap }) => wrap?.(inner) ?? inner, runtime.renderer);
  const scheduler = new Scheduler(renderer, render);
  const answers = new PageAnswers(runtime.encodings, encoder, traits);
  const isStored = cache !== false && isBuilt;
  const openTier = all.find((each) => each.openTier)?.openTier;
  const downstream = all.find((each) => each.downstream)?.downstream;
  const parts = { isTrusted, rules, scheduler, traits, answers, openTier, downstream, report };
  const pages =
    runtime.toReplica?.({
      isTrusted,
      rules,
      hasTier: isStored && openTier !== undefined,
      downstream,
    }) ??
    (isStored
      ? new PageCache({ ...options, ...parts, encoder, cache })
      : new UnstoredPages(scheduler, answers, traits, isTrusted));
  const path = toPathParts({ core, options, files, pages, constantPages, extensions: all });
  const targets = new TargetReader(rules, isStored ? cache.ignoredQuery : undefined);
  const parser = new RequestParser(targets, () => {
    hooks.begin();
    return runtime.readSites(isTrusted);
  });
  const requestPath = new RequestPath(path);
  const closing = new AbortController();
  const { isProbe } = hooks;
  const server = (made.server = {
    ...{ pages, scheduler, path, extensions, isProbe, closing: closing.signal },
    renderAhead: (exchange) => requestPath.renderAhead(parser.parse(exchange)),
    routes: () => constantPages.routes,
    localeOf: (request) => files.localeOf(request),
    parse: (exchange) => parser.parse(exchange),
  });
  for (const each of all) each.open?.();
  return { core, server, parser, requestPath, closing, extensions: all };
}
