import type { Resource } from '../answers/resource.ts';
import type { SsrError } from '../errors.ts';
import type { Answer, FileAnswer } from '../exchange.ts';
import type { StoredPages } from '../pages/stored-pages.ts';
import type { PageTrait } from '../pages/traits/page-trait.ts';
import type { Endpoint } from './endpoint.ts';
import type { FeatureRequest } from './feature-request.ts';
import type { Said, Substitute } from './substitute.ts';

/** Something that a server does beside answering with files and pages. A server without it has none of its code. */
export interface Feature {
  /** As in messages: `calls`. A server has each name once. */
  readonly name: string;
  /** What it does to pages. Known before it is installed: built files are filled when they are indexed. */
  readonly trait?: PageTrait;
  /**
   * Called once for each server, before the first request. The program of a server also runs in its threads, which
   * have servers of their own: see {@link ServerCore.isMain}.
   */
  install(core: ServerCore): Extension;
}

/** What a server is extended by. What is missing costs nothing. */
export interface Extension {
  /** Asked in this order, before substitutes. */
  readonly endpoints?: readonly Endpoint[];
  /** Asked in this order, before those of the server, except for files that are not there. */
  readonly substitutes?: readonly Substitute[];
  readonly file?: HeldFile;
  /** Called before a request waits for a render, its own or another's. Must not throw. */
  onMiss?(request: FeatureRequest): void;
  /** Adds headers to each answer that is sent, hits included. Must not throw. */
  finish?<Sent extends Answer | FileAnswer>(answer: Sent, request: FeatureRequest): Sent;
  /** Gets each error that is reported, before `onError`. Must not throw. */
  noteError?(error: SsrError): void;
  /** Called once, when {@link ServerCore.server} exists and before the first request. */
  open?(): void;
  /**
   * Called when the server starts to work, with its first request or before, in no request's context. What it throws is
   * reported as `NG_SSR_FEATURE_FAILED`, and the server goes on without it.
   */
  start?(): Promise<void> | void;
  /** Whether the server is not ready before {@link start} has succeeded. Default: false. */
  readonly delaysReady?: boolean;
  /**
   * Called when the last request is answered and the last render has ended. What it throws, `close()` throws. Also called,
   * without {@link start}, if another feature cannot be installed or opened.
   */
  close?(): Promise<void> | void;
}

/** A file that the server makes, among those of the build. */
export interface HeldFile {
  /** @returns undefined for other targets. */
  find(request: FeatureRequest): Resource | undefined;
  /** What explain says of a request for it; undefined for other targets. */
  says(request: FeatureRequest): Said | undefined;
}

/** What a feature is made of: the parts of its server that exist before it. */
export interface ServerCore {
  /** Whether there is a build: else the program runs under `ng serve`. */
  readonly isBuilt: boolean;
  /** False in render threads and server threads: what should happen once in a process is the main thread's. */
  readonly isMain: boolean;
  /** Reports an error once, even if several requests fail with it. */
  readonly report: (error: SsrError) => void;
  /** The server itself. It exists when every feature is installed. */
  readonly server: RunningServer;
}

/** A server whose features are installed. */
export interface RunningServer {
  /** Purges and inspects stored pages, as `server.cache`. */
  readonly pages: StoredPages;
}
