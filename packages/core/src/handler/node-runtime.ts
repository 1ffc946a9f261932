import { PageEncoder } from '../answers/page-encoder.ts';
import type { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import { toBuildId } from '../files/build-id.ts';
import { BuiltIndex } from '../files/built-index.ts';
import { BuiltLocales } from '../files/built-locales.ts';
import { ConstantPages } from '../files/constant-pages.ts';
import { noticeOfUnconfigured, noticeOfUnheld } from '../files/file-notices.ts';
import { readBuiltLocales } from '../files/read-built-locales.ts';
import { toAllowedHosts } from '../host/allowed-hosts.ts';
import { AskedHosts } from '../host/asked-hosts.ts';
import { toHostJudge } from '../host/host-check.ts';
import { SiteReader } from '../host/site.ts';
import type { ThreadReport } from '../threads/thread-report.ts';
import { Locales } from '../locales/locales.ts';
import { renderInProcess } from '../render/in-process.ts';
import type { Renderer } from '../render/renderer.ts';
import type { RenderThreads } from '../render/render-threads.ts';
import type { MainThread } from '../threads/server-threads.ts';
import { EngineLoader } from './engine-loader.ts';
import type { ErrorReports } from '../path/error-reports.ts';
import type { OwnFeature } from '../path/own-feature.ts';
import { traitsOf } from '../path/watch-trait.ts';
import type { DocumentMarks } from '../files/sent-content.ts';
import { noticeOfHosts } from './hosts-notice.ts';
import type { ResolvedOptions } from './options.ts';
import type { Runtime } from '../path/runtime.ts';

/** What Node, Bun and Deno provide for a server. */
export interface NodeRuntime extends Runtime {
  readonly index: BuiltIndex;
  readonly host: EngineLoader;
  readonly constantPages: ConstantPages;
  /** What a function `allowedHosts` has said; undefined with a list. */
  readonly asked: AskedHosts | undefined;
  /** As {@link Place.renderThreads}. */
  readonly renderThreads: RenderThreads | undefined;
  /** Those of this process that render, and from `listen` on those that answer requests. */
  readonly threads: (() => readonly ThreadReport[])[];
}

/** Where a handler runs. */
export interface Place {
  /** Which of the program's handlers it is, from 0 in order of creation. */
  readonly handler: number;
  /** In a server thread: the main thread, which renders and stores. */
  readonly main: MainThread | undefined;
  /** Undefined if pages render on this thread, or on the main thread of this server thread. */
  readonly renderThreads: RenderThreads | undefined;
  /** False in threads that render, and in server threads. */
  readonly isMain: boolean;
  /** Whether pages of the build are rendered, too. */
  readonly rendersAll: boolean;
}

/**
 * Indexes the built files, and prepares renders.
 *
 * @param features - Of the server.
 */
export function nodeRuntime(
  options: ResolvedOptions,
  place: Place,
  { onError, report }: ErrorReports,
  features: readonly OwnFeature[],
): NodeRuntime {
  const { cache, files, render, trustProxyHeaders } = options;
  const { isMain, main, rendersAll } = place;
  const document = documentOf(features);
  const host = new EngineLoader({ ...options, onError }, document);
  const isBuilt = files.folder !== undefined;
  const folders = isBuilt && main === undefined ? host.locales() : undefined;
  const locales = toLocales(options, folders, main, features, onError);
  host.hostLocales = locales?.ofHosts;
  const traits = traitsOf(features, report);
  const marks = {
    ...document,
    fillOf: (answer: Answer) => traits.fillOf(answer),
    fileTrait: features.find((each) => each.fileTrait !== undefined)?.fileTrait,
  };
  const indexOptions = {
    ...files,
    ...marks,
    locales: folders,
    builtLocales: locales?.built,
    toLinks: (paths: Iterable<string>) => locales?.toLinks(paths),
    rendersAll,
  };
  const index = new BuiltIndex(indexOptions, main?.files);
  const notices = [
    noticeOfUnheld(index.unheldPages),
    noticeOfUnconfigured(index.unconfiguredPages),
    ...index.packNotices,
    main === undefined ? noticeOfHosts(options) : undefined,
  ];
  for (const notice of notices) if (notice !== undefined) onError(notice);
  const constantPages = new ConstantPages({
    encodings: files.encodings,
    ...marks,
    claim: (bytes) => index.claim(bytes),
  });
  const asked = toAskedHosts(options, main, report);
  const { renderer, threads } = toRenderer(options, host, place, report);
  return {
    ...{ isBuilt, index, locales, constantPages, traits, renderer, threads, main, host, asked },
    ...{ isMain, renderThreads: place.renderThreads },
    browserFolder: files.folder,
    // Under `ng serve` client and server share a machine: encoding saves no time.
    encodings: isBuilt ? render.encodings : [],
    buildIdOf: (own) => {
      const build = own ?? toBuildId(files.folder);
      return document.id === undefined ? build : `${build}-${document.id}`;
    },
    encoder: new PageEncoder(report),
    ...(main && {
      toReplica: (parts) => main.toPages(index, { ...parts, traits, cache }),
    }),
    readSites: (isTrusted) =>
      new SiteReader(
        toAllowedHosts(host.allowedHosts()),
        isTrusted,
        trustProxyHeaders !== false,
        asked,
      ),
  };
}

/** What features put into the documents of the build. */
export function documentOf(features: readonly OwnFeature[]): DocumentMarks {
  const all = features.flatMap(({ document }) => document ?? []);
  const join = (name: 'publicConfig' | 'id', by: string): string | undefined =>
    all.flatMap((each) => each[name] ?? []).join(by) || undefined;
  const publicConfig = join('publicConfig', '');
  const id = join('id', '-');
  return { ...Object.assign({}, ...all), ...(publicConfig && { publicConfig }), ...(id && { id }) };
}

/**
 * Undefined for a build that is not localized.
 *
 * @param folders - Of the build, by locale. A server thread gets what the main thread has read.
 */
function toLocales(
  { engine, files: { folder: browserFolder } }: ResolvedOptions,
  folders: Readonly<Record<string, string>> | undefined,
  main: MainThread | undefined,
  features: readonly OwnFeature[],
  onError: (error: SsrError) => void,
): Locales | undefined {
  const read = main?.files.locales;
  const chooser = features.find(({ locales }) => locales !== undefined);
  if (browserFolder !== undefined && main === undefined && engine.locales === undefined) {
    return chooser?.locales?.(undefined, onError);
  }
  if (browserFolder === undefined || (folders ?? read) === undefined) return undefined;
  const built = read ? new BuiltLocales(read) : readBuiltLocales(browserFolder, folders!);
  return chooser?.locales?.(built, onError) ?? (built && new Locales(built));
}

function toRenderer(
  { engine }: ResolvedOptions,
  host: EngineLoader,
  { handler, renderThreads }: Place,
  onError: (error: SsrError) => void,
): { readonly renderer: Renderer; readonly threads: (() => readonly ThreadReport[])[] } {
  const failOnError = engine.failOnError === true;
  const inProcess = renderInProcess({ host, failOnError, onError });
  if (renderThreads === undefined) return { renderer: inProcess, threads: [] };
  const setup = (): ReturnType<EngineLoader['setup']> => host.setup();
  const renderer = renderThreads.open({ handler, inProcess, setup, onError });
  return { renderer, threads: [() => renderer.report()] };
}

/** The threads of a server ask its main thread, so that the user's function is called once for a host. */
function toAskedHosts(
  { allowedHosts }: ResolvedOptions,
  main: MainThread | undefined,
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
