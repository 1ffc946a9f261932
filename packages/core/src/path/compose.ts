import { readOption } from '../check-option.ts';
import { ErrorPages } from '../files/error-pages.ts';
import { RequestFiles } from './request-files.ts';
import { toProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { TargetReader } from '../pages/key/page-target.ts';
import { RequestParser } from '../pages/parsed-request.ts';
import { RouteRules } from '../pages/policy/route-rules.ts';
import { Scheduler } from '../render/scheduler.ts';
import { closeParts, type Closing } from './close-parts.ts';
import type { CoreOptions } from './core-options.ts';
import type { ErrorReports } from './error-reports.ts';
import { Failures } from './failures.ts';
import { installFeature } from './install-feature.ts';
import { isOwn } from './own.ts';
import type { OwnCore, OwnExtension, OwnFeature, OwnServer } from './own-feature.ts';
import { makePages } from './make-pages.ts';
import { noticeOfRenderRules } from './render-rules.ts';
import { RequestPath } from './request-path.ts';
import type { Runtime } from './runtime.ts';
import { toPathParts } from './to-path-parts.ts';

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
  /** Closes its features and its pages. */
  readonly closings: readonly Closing[];
}

/** Makes the parts of a server, on what its platform provides, and installs its features. */
export function compose(
  runtime: Runtime,
  options: CoreOptions,
  features: readonly OwnFeature[],
  reports: ErrorReports,
  hooks: HandlerHooks,
): Composition {
  const opened: Closing[] = [];
  try {
    return composeParts(opened, runtime, options, features, reports, hooks);
  } catch (error) {
    void closeParts(opened, reports.report);
    throw error;
  }
}

function composeParts(
  opened: Closing[],
  ...[runtime, options, features, reports, hooks]: Parameters<typeof compose>
): Composition {
  const { browserFolder, buildIdOf, constantPages, index, isBuilt, locales, main } = runtime;
  const { cache, render } = options;
  const { onError, report } = reports;
  const isTrusted = toProxyHeaderPredicate(options.trustProxyHeaders, 'trustProxyHeaders');
  const ownErrorPages = new ErrorPages(isBuilt && options.errorPages, index, locales?.built.all);
  const files = new RequestFiles(index, locales, ownErrorPages);
  const failures = new Failures(options, files, report);
  const names = features.filter(isOwn).map(({ name }) => name);
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
    ...{ isMain: runtime.isMain, threads: runtime.threads, encodings: runtime.encodings },
    get server() {
      if (made.server) return made.server;
      throw new TypeError('use core.server in open');
    },
  };
  const extensions = new Map<string, OwnExtension>();
  for (const each of features) {
    const extension = installFeature(each, core);
    extensions.set(each.name, extension);
    opened.push([`the feature ${each.name}`, () => extension.close?.()]);
  }
  const all = [...extensions.values()];
  for (const each of all) if (each.noteError !== undefined) reports.observe(each.noteError);

  const renderer = all.reduce((inner, { wrap }) => wrap?.(inner) ?? inner, runtime.renderer);
  const scheduler = new Scheduler(renderer, render);
  const pages = makePages(runtime, options, core, scheduler, all);
  opened.push(['the cached pages', () => pages.close()]);
  const path = toPathParts({ core, options, files, pages, constantPages, extensions: all });
  const targets = new TargetReader(
    rules,
    cache !== false && isBuilt ? cache.ignoredQuery : undefined,
  );
  const parser = new RequestParser(targets, () => {
    hooks.begin();
    return runtime.readSites(isTrusted);
  });
  const requestPath = new RequestPath(path);
  const closing = new AbortController();
  const server = (made.server = {
    ...{ pages, scheduler, path, extensions, isProbe: hooks.isProbe, closing: closing.signal },
    renderAhead: (exchange, renewal) => requestPath.renderAhead(parser.own(exchange, renewal)),
    routes: () => constantPages.routes,
    localeOf: (request) => files.localeOf(request),
    parse: (exchange) => parser.parse(exchange),
  });
  for (const each of all) each.open?.();
  return { core, server, parser, requestPath, closing, closings: opened };
}
