import { platform } from '#platform';
import { Dictionaries } from '../answers/dictionaries.ts';
import { readOption } from '../check-option.ts';
import { NonceFiller } from '../answers/nonce.ts';
import { PageAnswers } from '../answers/page-answers.ts';
import { PageCoder } from '../answers/page-coder.ts';
import { Calls } from '../calls/calls.ts';
import { makeCalls } from '../calls/renders/calling-renderer.ts';
import { SsrError } from '../errors.ts';
import { BuiltIndex } from '../files/built-index.ts';
import { BuiltLocales } from '../files/built-locales.ts';
import { readBuiltLocales } from '../files/read-built-locales.ts';
import { OtherBuilds } from '../files/builds/other-builds.ts';
import { ConstantPages } from '../files/constant-pages.ts';
import { CsrPages } from '../files/csr-pages.ts';
import { ErrorPages } from '../files/error-pages.ts';
import { noticeOfUnconfigured, noticeOfUnheld } from '../files/file-notices.ts';
import { PageFileCodings } from '../files/page-file-codings.ts';
import { AskedHosts } from '../host/asked-hosts.ts';
import { Inspector } from '../inspector/inspector.ts';
import { ThreadInspector } from '../inspector/thread-inspector.ts';
import { Dictionary } from '../http/dictionary.ts';
import { availableDictionaryCodings } from '../http/encode-with-dictionary.ts';
import { toAllowedHosts } from '../host/allowed-hosts.ts';
import { toHostJudge } from '../host/host-check.ts';
import { type ProxyHeaderPredicate, toProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { SiteReader } from '../host/site.ts';
import {
  DEFAULT_CALL_BYTES,
  type ResolvedCacheOptions,
} from '../pages/options/resolve-cache-options.ts';
import { TargetReader } from '../pages/key/asked-page.ts';
import { EdgeFields } from '../pages/edge/edge-fields.ts';
import { EdgePurges } from '../pages/edge/edge-purges.ts';
import { LocaleRedirects } from '../locales/locale-redirects.ts';
import { Locales } from '../locales/locales.ts';
import { PageCache } from '../pages/page-cache.ts';
import type { PageCacheParts } from '../pages/page-cache-parts.ts';
import type { Pages } from '../pages/pages.ts';
import { RouteRules } from '../pages/policy/route-rules.ts';
import { PurgeEndpoint } from '../pages/purge-endpoint.ts';
import { toBuildId, toStoreId } from '../pages/store/build-id.ts';
import { UnstoredPages } from '../pages/unstored-pages.ts';
import { noticeOfSuspects } from '../public-config.ts';
import { ownBundle } from '../render/locale-bundle.ts';
import { renderInProcess } from '../render/in-process.ts';
import { catchCallsOfRenders } from '../render/render-scope.ts';
import type { Renderer } from '../render/renderer.ts';
import { Scheduler } from '../render/scheduler.ts';
import { answerRenders } from '../render/workers/answer-renders.ts';
import { renderThread } from '../render/workers/worker-data.ts';
import { WorkerPool } from '../render/workers/worker-pool.ts';
import { serverThread } from '../server-thread.ts';
import { MainLink } from '../threads/main-link.ts';
import { RequestLog } from '../telemetry/request-log.ts';
import { composeCopies, forServerThread } from './compose-copies.ts';
import { composeInspector } from './compose-inspector.ts';
import { EarlyHints } from './early-hints/early-hints.ts';
import { learnHints } from './early-hints/learning-renderer.ts';
import { EngineHost } from './engine-host.ts';
import { Failures } from './failures.ts';
import { noticeOfHosts } from './hosts-notice.ts';
import { type ResolvedOptions, resolveOptions, type SsrOptions } from './options.ts';
import { OverloadLadder } from './overload-ladder.ts';
import type { PathParts } from './path-parts.ts';
import { noticeOfRenderRules, RenderRules } from './render-rules.ts';
import { reportOnce } from './report-once.ts';
import { SpeculationRules } from './speculation-rules.ts';

/** The parts of a handler, each made once. */
export interface Parts extends PathParts {
  /** Which of the program's handlers it is, from 0 in order of creation. */
  readonly handler: number;
  /** In a server thread: the main thread, which renders and stores. */
  readonly main: MainLink | undefined;
  readonly options: ResolvedOptions;
  readonly host: EngineHost;
  readonly built: BuiltIndex;
  /** Undefined without the option `builds`, and in server threads, for which the main thread asks. */
  readonly otherBuilds: OtherBuilds | undefined;
  readonly constantPages: ConstantPages;
  /** Undefined without the option `dictionaries`. */
  readonly pageFileCodings: PageFileCodings | undefined;
  readonly rules: RouteRules;
  readonly targets: TargetReader;
  readonly earlyHints: EarlyHints | undefined;
  readonly calls: Calls | undefined;
  readonly inspector: Inspector | ThreadInspector | undefined;
  readonly scheduler: Scheduler;
  /** To be reported when the server starts to serve: Angular also creates it to extract its routes. */
  readonly startNotice: SsrError | undefined;
  /** Called with the first request: under `ng serve` the engine knows its hosts only then. */
  readonly readSites: () => SiteReader;
  /** What a function `allowedHosts` has said; undefined with a list. */
  readonly asked: AskedHosts | undefined;
}

/** Handlers created so far: a render thread finds its own by its number. */
let handlers = 0;

/**
 * Checks the options, indexes the built files, and makes the parts of a handler.
 *
 * @param rendersAll - Whether pages of the build are rendered, too.
 * @throws SsrError `NG_SSR_PLATFORM_INVALID`, and as {@link SsrHandler}.
 */
export function compose(given: SsrOptions, rendersAll = false): Parts {
  assertNode();
  const handler = handlers++;
  const resolved = resolveOptions(given);
  // The inspector is made of parts that report errors.
  let noteError: ((error: SsrError) => void) | undefined;
  const options = watchErrors(forThread(resolved, handler), (error) => noteError?.(error));
  const isServerThread = serverThread?.handler === handler && ownBundle === undefined;
  const main = isServerThread ? new MainLink(serverThread!) : undefined;
  const { files, cache, render, requestLog, trustProxyHeaders, publicConfig } = options;
  const isTrusted = toProxyHeaderPredicate(trustProxyHeaders, 'trustProxyHeaders');
  const report = reportOnce(options.onError);
  const nonce = cache !== false && cache.nonce ? new NonceFiller(cache.nonce) : undefined;
  const host = new EngineHost(options, nonce?.document);

  const isBuilt = files.folder !== undefined;
  const folders = isBuilt && main === undefined ? host.locales() : undefined;
  const locales = toLocales(options, folders, main);
  host.hostLocales = locales?.ofHosts;
  const dictionaries = isBuilt && main === undefined ? toDictionaries(options) : undefined;
  const marks = { nonce: nonce?.document, publicConfig: publicConfig?.html };
  const indexOptions = {
    ...files,
    ...marks,
    locales: folders,
    builtLocales: locales?.built,
    alternates: locales?.alternates,
    dictionaries,
    rendersAll,
  };
  const built = new BuiltIndex(indexOptions, main?.start.files);
  const suspects = isBuilt && main === undefined ? publicConfig?.suspects : undefined;
  const notices = [
    noticeOfSuspects(suspects ?? []),
    noticeOfUnheld(built.unheldPages),
    noticeOfUnconfigured(built.unconfiguredPages),
    ...built.packNotices,
    main === undefined ? noticeOfHosts(options) : undefined,
  ];
  for (const notice of notices) if (notice !== undefined) options.onError(notice);
  const claim = (bytes: number): boolean => built.claim(bytes);
  const constantPages = new ConstantPages({
    encodings: files.encodings,
    ...marks,
    hasDictionaries: dictionaries !== undefined,
    claim,
  });
  const pageFileCodings = dictionaries && new PageFileCodings(dictionaries, built, report);
  const hasPages = isBuilt && options.errorPages;
  const errorPages = new ErrorPages(hasPages, built, nonce, locales?.built.all);
  const failures = new Failures(options, errorPages, report, locales);

  const rules = readOption(
    'routeRules',
    () => new RouteRules(options.routeRules, built.baseHref, locales?.built),
  );
  const earlyHints =
    options.earlyHints && main === undefined
      ? new EarlyHints(built, rules, locales?.ofHosts && locales)
      : undefined;
  const baseHrefOf = (page: URL): string => locales?.baseHrefOf(page) ?? built.baseHref;
  // Before the application is loaded, whose modules may keep a reference to `fetch`.
  if (options.calls !== undefined) catchCallsOfRenders();
  const calls =
    options.calls && main === undefined ? toCalls(options, baseHrefOf, report) : undefined;
  const bare = toRenderer(options, host, handler, report);
  const renderer = calls ? makeCalls(bare, calls) : bare;
  const scheduler = new Scheduler(earlyHints ? learnHints(renderer, earlyHints) : renderer, render);
  const csrPages = new CsrPages(built);
  const ladder = new OverloadLadder(csrPages, errorPages, nonce, report);
  const renderRules = new RenderRules({ csrPages, locales, nonce, isTrusted, onError: report });
  const noCsrPage =
    isBuilt && main === undefined && noticeOfRenderRules(options.routeRules, csrPages);
  if (noCsrPage) options.onError(noCsrPage);
  const by = locales?.options?.by;
  const localeRedirects = locales && by && new LocaleRedirects(locales, by, isTrusted);
  const coder = new PageCoder(report);
  // Under `ng serve` client and server share a machine: coding saves no time.
  const encodings = isBuilt ? render.encodings : [];
  const answers = new PageAnswers(encodings, coder, nonce);
  const isStored = cache !== false && isBuilt;
  const asked = toAskedHosts(options, main, report);
  const { homePages } = built;
  const buildId = (): string => {
    const own = cache === false ? undefined : cache.buildId;
    return toStoreId(own ?? toBuildId(files.folder), publicConfig);
  };
  const stored = {
    buildId,
    edge: isStored && main === undefined ? toEdge(cache, nonce, options.onError) : undefined,
    isTrusted,
    rules,
    scheduler,
    nonce,
    coder,
    answers,
    dictionaries,
    homePages,
  };
  // Of what was given: the options of a server thread have no store.
  const hasStore = resolved.cache !== false && resolved.cache.store !== undefined;
  const pages: Pages =
    main !== undefined
      ? composeCopies({ main, options, hasStore, built, isTrusted, rules, nonce })
      : isStored
        ? new PageCache({ ...options, cache, ...stored })
        : new UnstoredPages(scheduler, answers, isTrusted);
  if (calls !== undefined) calls.cache.share(pages.observePurges?.(calls.cache));
  const purgeEndpoint =
    isStored && cache.purgeEndpoint ? new PurgeEndpoint(cache.purgeEndpoint, pages) : undefined;
  const inspector =
    main === undefined
      ? composeInspector(options, { built, scheduler, pages, rules, calls, renderer: bare })
      : options.inspector && new ThreadInspector(options.inspector, main);
  if (inspector instanceof Inspector) {
    const { observation } = inspector;
    noteError = (error) => observation.noteError(error);
  }

  return {
    handler,
    main,
    options,
    host,
    isBuilt,
    built,
    otherBuilds: toOtherBuilds(options, built),
    constantPages,
    pageFileCodings,
    rules,
    targets: new TargetReader(rules, isStored ? cache.ignoredQuery : undefined),
    pages,
    earlyHints,
    purgeEndpoint,
    inspector,
    calls,
    scheduler,
    startNotice: main === undefined ? noticeOfUnstoredCalls(options) : undefined,
    ladder,
    renderRules,
    speculationRules:
      options.speculationRules && isBuilt ? new SpeculationRules(built, pages) : undefined,
    errorPages,
    locales,
    localeRedirects,
    failures,
    nonce,
    log: requestLog && new RequestLog(requestLog, report),
    report,
    readSites: () => toSiteReader(host, isTrusted, trustProxyHeaders !== false, asked),
    asked,
  };
}

/** @param watch - Called with each error, before `onError`. */
function watchErrors(options: ResolvedOptions, watch: (error: SsrError) => void): ResolvedOptions {
  if (options.inspector === undefined) return options;
  const { onError } = options;
  const watched = (error: SsrError): void => {
    watch(error);
    onError(error);
  };
  return { ...options, onError: watched };
}

/**
 * A render thread answers no requests: it needs no built files, stored pages, log or probes. Nor do the other
 * handlers of a program in the threads of one of its servers.
 */
function forThread(options: ResolvedOptions, handler: number): ResolvedOptions {
  // The bundle of another locale has loaded this one, and answers.
  if (ownBundle !== undefined) return forNoRequests(options);
  if (serverThread?.handler === handler) return forServerThread(options);
  if (renderThread === undefined && serverThread === undefined) return options;
  if (renderThread?.handler === handler) answerRenders(options.engine, renderThread);
  return forNoRequests(options);
}

function forNoRequests(options: ResolvedOptions): ResolvedOptions {
  const files = { ...options.files, folder: undefined };
  const none = { requestLog: undefined, probes: undefined, inspector: undefined };
  return { ...options, ...none, files, cache: false };
}

function toOtherBuilds(
  { builds, files, onError }: ResolvedOptions,
  built: BuiltIndex,
): OtherBuilds | undefined {
  const { hashed, baseHref } = built;
  const { folder: browserFolder, maxFileBytes } = files;
  if (builds === undefined || hashed === undefined || browserFolder === undefined) return undefined;
  const own = { id: hashed.buildId, baseHref, files: hashed.files, browserFolder };
  return new OtherBuilds(builds, own, { built, maxFileBytes, onError });
}

/** A bundler that does not know Node's condition would leave out what attributes errors and calls to their renders. */
function assertNode(): void {
  if (platform.name === 'node') return;
  const message =
    'this server needs Node, and its bundle was made for another platform: add "node" to the export conditions of ' +
    'the bundler, or use createNeutralSsrHandler of @ng-ssr/fetch/neutral';
  throw new SsrError('NG_SSR_PLATFORM_INVALID', message);
}

/**
 * Undefined for a build that is not localized; an option for its locales then has no effect, and one error says so.
 *
 * @param folders - Of the build, by locale. A server thread gets what the main thread has read.
 */
function toLocales(
  { files, locales, onError }: ResolvedOptions,
  folders: Readonly<Record<string, string>> | undefined,
  main: MainLink | undefined,
): Locales | undefined {
  const read = main?.start.files.locales;
  const built = read
    ? new BuiltLocales(read)
    : folders && files.folder !== undefined
      ? readBuiltLocales(files.folder, folders)
      : undefined;
  if (built !== undefined) return new Locales(built, locales);
  if (locales !== undefined && folders !== undefined) {
    const message =
      'locales has no effect: this build has one locale. A build with several has "localize" in angular.json, and ' +
      'with CommonEngine the option allLocales';
    onError(new SsrError('NG_SSR_OPTION_INVALID', message));
  }
  return undefined;
}

/** Undefined without the option, and where the runtime makes no codings with dictionaries. */
function toDictionaries({ dictionaries, onError }: ResolvedOptions): Dictionaries | undefined {
  if (!dictionaries) return undefined;
  const made = new Dictionaries(availableDictionaryCodings(), (content) => new Dictionary(content));
  if (made.codings.length > 0) return made;
  const message =
    'dictionaries is true, but the zlib of this runtime has no dictionaries for Brotli and Zstandard: ' +
    'answers are coded without them. Node 24.21 has both';
  onError(new SsrError('NG_SSR_DICTIONARIES_UNAVAILABLE', message));
  return undefined;
}

/** Under `ng serve` no calls are stored: developers change their data. */
function toCalls(
  { calls, files, cache, render }: ResolvedOptions,
  baseHrefOf: (page: URL) => string,
  onError: (error: SsrError) => void,
): Calls | undefined {
  const maxBytes = cache === false ? DEFAULT_CALL_BYTES : cache.maxCallBytes;
  return (
    calls &&
    new Calls(calls, {
      maxBytes: files.folder === undefined ? 0 : maxBytes,
      renderTimeoutMs: render.timeoutMs,
      ...{ baseHrefOf, onError },
    })
  );
}

/** A server without built files is taken for one under `ng serve`. */
function noticeOfUnstoredCalls({ calls, files }: ResolvedOptions): SsrError | undefined {
  const pattern = calls?.cached;
  if (pattern === undefined || files.folder !== undefined) return undefined;
  const message =
    `calls[${JSON.stringify(pattern)}].cache has no effect: without a folder of built files, as under ng serve, ` +
    'nothing is stored. Set files.folder; an empty folder will do';
  return new SsrError('NG_SSR_CALL_NOTICE', message);
}

function toRenderer(
  { engine, render, files }: ResolvedOptions,
  host: EngineHost,
  handler: number,
  onError: (error: SsrError) => void,
): Renderer {
  const failOnError = engine.failOnError === true;
  const inProcess = renderInProcess({ host, failOnError, onError });
  if (render.workers.max === 0 || files.folder === undefined) return inProcess;
  return new WorkerPool({ ...render, handler, inProcess, setup: () => host.setup(), onError });
}

function toSiteReader(
  host: EngineHost,
  isTrusted: ProxyHeaderPredicate,
  trustsAny: boolean,
  asked: AskedHosts | undefined,
): SiteReader {
  return new SiteReader(toAllowedHosts(host.allowedHosts()), isTrusted, trustsAny, asked);
}

/** What servers behind an edge send to it, and the purges that it gets. */
function toEdge(
  { edge }: ResolvedCacheOptions,
  nonce: NonceFiller | undefined,
  onError: (error: SsrError) => void,
): PageCacheParts['edge'] {
  if (edge === undefined) return undefined;
  const fields = new EdgeFields(edge, nonce);
  return { fields, purges: new EdgePurges(edge, fields.offered, onError) };
}

/** The threads of a server ask its main thread, so that the user's function is called once for a host. */
function toAskedHosts(
  { allowedHosts }: ResolvedOptions,
  main: MainLink | undefined,
  onError: (error: SsrError) => void,
): AskedHosts | undefined {
  if (typeof allowedHosts !== 'function') return undefined;
  if (main === undefined) return new AskedHosts(toHostJudge(allowedHosts), onError);
  // The main thread reports its failures.
  return new AskedHosts(
    (host) => main.judgeHost(host),
    () => undefined,
  );
}
