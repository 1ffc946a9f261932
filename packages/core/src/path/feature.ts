import type { Resource } from '../answers/resource.ts';
import type { Routes } from './routes.ts';
import type { SsrError } from '../errors.ts';
import type { Answer, Exchange, FileAnswer } from '../exchange.ts';
import type { BuiltFiles } from './request-files.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { ThreadReport } from '../threads/thread-report.ts';
import type { Locales } from '../locales/locales.ts';
import type { Pages } from '../pages/pages.ts';
import type { RouteRules } from '../pages/policy/route-rules.ts';
import type { Visit } from '../pages/visit.ts';
import type { Fallback } from '../render/fallbacks.ts';
import type { Renderer } from '../render/renderer.ts';
import type { Scheduler } from '../render/scheduler.ts';
import type { CacheResult } from '../telemetry/channels.ts';
import type { AnswerLog } from '../telemetry/request-event.ts';
import type { MainLink } from '../threads/main-link.ts';
import type { Endpoint } from './endpoint.ts';
import type { Failures } from './failures.ts';
import type { FindOtherFile } from './missing-files.ts';
import type { PathParts } from './path-parts.ts';
import type { Said, Substitute } from './substitute.ts';

/** Something that a server does beside answering with files and pages. A server without it has none of its code. */
export interface Feature<Index extends BuiltFiles = BuiltFiles> {
  /** As in messages: `calls`. A server has each name once. */
  readonly name: string;
  /**
   * Called once for each server, before the first request. The program of a server also runs in its threads, which
   * have servers of their own: see {@link Core.main}.
   */
  install(core: Core<Index>): Extension;
}

/** What a server is extended by. What is missing costs nothing. */
export interface Extension {
  readonly endpoints?: readonly Endpoint[];
  /** Asked before those of the core, except for files that are not there. */
  readonly substitutes?: readonly Substitute[];
  readonly file?: HeldFile;
  /** Files of other builds. One feature has them. */
  readonly findOther?: FindOtherFile;
  /** A renderer that does more with each render; those of later features are around those of earlier ones. */
  wrap?(renderer: Renderer): Renderer;
  /** Called once, when {@link Core.server} exists and before the first request. */
  open?(): void;
  /** Called before a request waits for a render, its own or another's. Must not throw. */
  onMiss?(visit: Visit): void;
  /** Adds header fields to each answer that is sent, hits included. Must not throw. */
  finish?<Sent extends Answer | FileAnswer>(answer: Sent, visit: Visit): Sent;
  /** Gets each answer that is sent to a client. */
  readonly log?: AnswerLog;
  /** Gets each error that is reported. */
  noteError?(error: SsrError): void;
  /** Gets the requests that a server thread has answered. */
  countRequests?(counts: Readonly<Record<CacheResult, number>>): void;
  /** Gets the framework's routes, before the first request. */
  useRoutes?(routes: Routes): void;
  /** Called when the server starts to work, with its first request or before, in no request's context. */
  start?(): Promise<void> | void;
  /** Whether the server is not ready before the promise of {@link start} has resolved. Default: false. */
  readonly delaysReady?: boolean;
  /** Called when the last request is answered and the last render has ended. */
  close?(): Promise<void> | void;
  /** Bytes that it holds in memory, as the inspector shows them. */
  heldBytes?(): number;
}

/** A file that the server makes, among those of the build. */
export interface HeldFile {
  /** @returns undefined for other targets. */
  find(visit: Visit): Resource | undefined;
  /** What explain says of a request for it. */
  says(visit: Visit): Said | undefined;
}

/** What a feature is made of: the parts of its server that exist before it. */
export interface Core<Index extends BuiltFiles = BuiltFiles> {
  /** Whether there is a build: else the program runs under `ng serve`. */
  readonly isBuilt: boolean;
  readonly index: Index;
  readonly rules: RouteRules;
  /** Undefined for a build that is not localized. */
  readonly locales: Locales | undefined;
  readonly failures: Failures;
  readonly select: (resource: Resource, exchange: Exchange) => Answer;
  readonly isTrusted: ProxyHeaderPredicate;
  /** Undefined in the main thread and in programs without server threads. The main thread renders and stores. */
  readonly main: MainLink | undefined;
  /** Reports an error once, even if several requests fail with it. */
  readonly report: (error: SsrError) => void;
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
  /** The server itself. It exists when every feature is installed. */
  readonly server: Server;
}

/** A server whose features are installed. */
export interface Server {
  readonly pages: Pages;
  readonly scheduler: Scheduler;
  readonly path: PathParts;
  readonly extensions: ReadonlyMap<string, Extension>;
  /** The routes of the application; undefined if the engine has not said them. */
  readonly routes: () => readonly string[] | undefined;
  /** The locale of a request to a localized build. */
  readonly localeOf: (visit: Visit) => string | undefined;
  /** Reads a request as the request path does. */
  readonly visitOf: (exchange: Exchange) => Visit;
  /** Whether a target is that of a probe. */
  readonly isProbe: (target: string) => boolean;
}
