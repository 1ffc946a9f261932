import type { Resource } from '../answers/resource.ts';
import type { SsrError } from '../errors.ts';
import type { Answer, StreamedAnswer } from '../exchange.ts';
import type { StoredPages } from '../pages/stored-pages.ts';
import type { PageTrait } from '../pages/traits/page-trait.ts';
import type { Endpoint } from './endpoint.ts';
import type { FeatureRequest } from './feature-request.ts';
import type { Said, Substitute } from './substitute.ts';

/** An addition to a server. A server without it does not load its code. */
export interface Feature {
  /** The name in messages, such as `calls`. A server has each name once. */
  readonly name: string;
  /** Changes pages. Read before the feature is installed. */
  readonly trait?: PageTrait;
  /**
   * Called once for each server, before the first request. The program also runs in threads, each with its own server: see
   * {@link ServerCore.isMain}.
   */
  install(core: ServerCore): Extension;
}

/** What a feature adds to a server. Members that are missing cost nothing. */
export interface Extension {
  /** Called in this order, before substitutes. */
  readonly endpoints?: readonly Endpoint[];
  /** Called in this order, before those of the server. Files with a hash in their name that are missing are a 404 before that. */
  readonly substitutes?: readonly Substitute[];
  readonly file?: HeldFile;
  /** Called before a request waits for a render, its own or another's. Must not throw. */
  onMiss?(request: FeatureRequest): void;
  /** Adds headers to each response but probes, also to cached pages and files. Must not throw. */
  finish?<Sent extends Answer | StreamedAnswer>(answer: Sent, request: FeatureRequest): Sent;
  /** Receives each reported error, before `onError`. Must not throw. */
  noteError?(error: SsrError): void;
  /** Called once, when {@link ServerCore.server} exists, before the first request. */
  open?(): void;
  /**
   * Called when the server starts to work: with its first request, or before. If it throws, `onError` gets
   * `NG_SSR_FEATURE_FAILED`, and the server runs without it.
   */
  start?(): Promise<void> | void;
  /** The server is not ready until {@link start} resolves. Default: false. */
  readonly delaysReady?: boolean;
  /**
   * Called after the last request and the last render. If it throws, `close()` rejects. Also called, without {@link
   * start}, if another feature cannot be installed or opened.
   */
  close?(): Promise<void> | void;
}

/** A file that the server creates, besides the files of the build. */
export interface HeldFile {
  /** @returns undefined for other targets. */
  find(request: FeatureRequest): Resource | undefined;
  /** What explain says of a request for it; undefined for other targets. */
  says(request: FeatureRequest): Said | undefined;
}

/** The parts of a server that exist before its features are installed. */
export interface ServerCore {
  /** False without a build, as under `ng serve`. */
  readonly isBuilt: boolean;
  /** False in render threads and server threads. Do what must happen once per process only on the main thread. */
  readonly isMain: boolean;
  /** Reports an error once, even if several requests fail with it. */
  readonly report: (error: SsrError) => void;
  /** The server. It exists after all features are installed. */
  readonly server: RunningServer;
}

/** A server whose features are installed. */
export interface RunningServer {
  /** Purges and inspects cached pages, as `server.cache`. */
  readonly pages: StoredPages;
}
