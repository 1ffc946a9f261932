import type { SsrError } from '../errors.ts';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import type { BuiltLocales } from '../files/built-locales.ts';
import type { FileTrait } from '../files/file-forms.ts';
import type { DocumentMarks } from '../files/sent-content.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { Locales } from '../locales/locales.ts';
import type { DownstreamCache } from '../pages/downstream-cache.ts';
import type { Pages } from '../pages/pages.ts';
import type { RouteRules } from '../pages/policy/route-rules.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { RenderAhead } from '../pages/refreshes.ts';
import type { OpenTier } from '../pages/flights/tier-pages.ts';
import type { TraitStage } from '../pages/traits/page-traits.ts';
import type { Fallback } from '../render/fallbacks.ts';
import type { AnswerRenders, RenderThreads } from '../render/render-threads.ts';
import type { Renderer } from '../render/renderer.ts';
import type { Scheduler } from '../render/scheduler.ts';
import type { FeatureDescription } from '../telemetry/server-description.ts';
import type { AnswerLog } from '../telemetry/request-event.ts';
import type { AnsweredRequests, MainThread, ServerThreads } from '../threads/server-threads.ts';
import type { ThreadReport } from '../threads/thread-report.ts';
import type { Failures } from './failures.ts';
import type { Extension, Feature, RunningServer, ServerCore } from './feature.ts';
import type { FindOtherFile } from './core-substitutes.ts';
import type { PageCompletion } from './page-completion.ts';
import type { PageTimes } from './page-times.ts';
import type { PathParts } from './path-parts.ts';
import type { BuiltFiles } from './request-files.ts';
import type { Routes } from './routes.ts';

/** A feature of these packages, made of all parts of its server. */
export interface OwnFeature extends Pick<Feature, 'name' | 'trait'> {
  /** Whether it is for requests of clients alone: a server without clients, such as a render thread's, is made without it. */
  readonly isForClients?: boolean;
  /** Where its trait is asked: see `PageTraits.join`. */
  readonly traitStage?: TraitStage;
  /** What it adds to built files. One feature has it. */
  readonly fileTrait?: FileTrait;
  /** What it puts into every document of the build. */
  readonly document?: DocumentMarks;
  /** The feature of one server, whose built files are not indexed yet. */
  forServer?(storing: ServerStoring): OwnFeature;
  /**
   * The locales of a localized build, with what chooses among them. One feature has them.
   *
   * @param built - Undefined for a build with one locale.
   */
  locales?(built: BuiltLocales | undefined, onError: OwnCore['onError']): Locales | undefined;
  /** Threads that render in place of the main thread. One feature has them. */
  readonly renderThreads?: RenderThreads;
  /** Called in such a thread. */
  readonly answerRenders?: AnswerRenders;
  /** Threads that answer requests beside the main thread. One feature has them. */
  readonly serverThreads?: ServerThreads;
  /** Whether it needs Node's modules, or a text on what else: a server without them refuses it. */
  readonly isForNode?: boolean | string;
  install(core: OwnCore): OwnExtension;
}

/** What a server holds. */
export interface ServerStoring {
  /** Whether there is a build: while `ng build` and `ng serve` run the program, variables of the stage may be missing. */
  readonly isBuilt: boolean;
  /** Whether pages are stored. */
  readonly isStored: boolean;
  /** Whether it fills its page store, so that no visitor waits. */
  readonly isFilling?: boolean;
}

/** What the features of these packages can add beside what is for everybody. */
export interface OwnExtension extends Extension {
  onMiss?(request: ParsedRequest): void;
  finish?<Sent extends Answer | StreamedAnswer>(answer: Sent, request: ParsedRequest): Sent;
  /** Adds headers to a page that a request has waited for: called with what is known where it was rendered, and where it is sent. */
  timePage?(answer: Answer, times: PageTimes): Answer;
  /** Completes pages while they are sent. One feature has it. */
  readonly completion?: PageCompletion;
  /** Files of other builds. One feature has them. */
  readonly findOther?: FindOtherFile;
  /** What is asked for pages after the memory. Called once, where pages are stored. One feature has it. */
  readonly openTier?: OpenTier;
  /** A cache in front of the server, which purges reach too. One feature has it. */
  readonly downstream?: DownstreamCache;
  /** A renderer that does more with each render; those of later features are around those of earlier ones. */
  wrap?(renderer: Renderer): Renderer;
  /** Gets each answer that is sent to a client. */
  readonly log?: AnswerLog;
  /** Gets what a server thread has answered. */
  countAnswered?(answered: AnsweredRequests): void;
  /** What is wrong with patterns of its options, for the routes of the application. */
  unmatched?(routes: readonly string[]): readonly SsrError[];
  /** Gets the framework's routes, before the first request. */
  useRoutes?(routes: Routes): void;
  /** For `ng-ssr doctor`. */
  describe?(): FeatureDescription;
  /** Bytes that it holds in memory, as the inspector shows them. */
  heldBytes?(): number;
}

/** All parts of a server that exist before its features. */
export interface OwnCore extends ServerCore {
  readonly index: BuiltFiles;
  readonly rules: RouteRules;
  /** Undefined for a build that is not localized. */
  readonly locales: Locales | undefined;
  readonly failures: Failures;
  /** The id of what this server renders, for what processes share. @param own - In place of the build's. */
  readonly buildIdOf: (own: string | undefined) => string;
  readonly isTrusted: ProxyHeaderPredicate;
  /** Where the files of the build are, on platforms with folders. */
  readonly browserFolder: string | undefined;
  /** In a server thread: the main thread, which renders and stores. */
  readonly main: MainThread | undefined;
  /** Reports an error each time. */
  readonly onError: (error: SsrError) => void;
  /** The limits of renders. */
  readonly render: {
    readonly concurrency: number;
    readonly maxQueued: number;
    readonly timeoutMs: number;
    readonly fallbacks: readonly Fallback[];
  };
  /** The threads of this process that render or answer requests, from the start on. */
  readonly threads: readonly (() => readonly ThreadReport[])[];
  /** Encodings that are made for clients that wait for a page. */
  readonly encodings: readonly ContentEncoding[];
  readonly server: OwnServer;
}

/** All parts of a server whose features are installed. */
export interface OwnServer extends RunningServer {
  readonly pages: Pages;
  readonly scheduler: Scheduler;
  readonly path: PathParts;
  readonly extensions: ReadonlyMap<string, OwnExtension>;
  /** Answers a request of the server's own. Rejects if there is no slot for its render. */
  readonly renderAhead: RenderAhead;
  /** Aborted when the server begins to close: before the last renders end. */
  readonly closing: AbortSignal;
  /** The routes of the application; undefined if the engine has not said them. */
  readonly routes: () => readonly string[] | undefined;
  /** The locale of a request to a localized build. */
  readonly localeOf: (request: ParsedRequest) => string | undefined;
  /** Reads a request as the request path does. */
  readonly parse: (exchange: Exchange) => ParsedRequest;
  /** Whether a target is that of a probe. */
  readonly isProbe: (target: string) => boolean;
}
