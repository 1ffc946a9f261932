import type { DocumentNonce } from './document-nonce.ts';

/** Passed by a server to its engine, once, before the first render. */
export interface EngineSetup {
  /** Hosts of the server. It checks the host of each request. */
  readonly allowedHosts: readonly string[];
  /** A function decides on the host of each request. `allowedHosts` then contains `*`: do not warn about it. */
  readonly areHostsAsked?: boolean | undefined;
  /** Proxy headers that the server trusts. Others are removed before a render. */
  readonly trustProxyHeaders: boolean | readonly string[];
  /** The folder of the built browser files; undefined if there is none (`ng serve`). */
  readonly browserFolder: string | undefined;
  /**
   * With `withNonce()`: render into a document in which {@link markNonces} replaced the placeholder with the secret. A
   * page whose nonce is the placeholder is not sent.
   */
  readonly nonce?: DocumentNonce | undefined;
  /** With `withPublicConfig()`: an HTML element. Render into a document to which {@link insertPublicConfig} added it. */
  readonly publicConfig?: string | undefined;
  /** With `withLocales()` in a localized build: render the pages of these hosts in their locale. */
  readonly hostLocales?: HostLocales | undefined;
}

/** Locales that are at the root of a host, without a locale in the path. */
export interface HostLocales {
  /** Paths of other locales, without a slash at the end. Below them, the path decides on these hosts too. */
  readonly otherPaths: readonly string[];
  /** Locales by host name, without port. */
  readonly hosts: Readonly<Record<string, string>>;
  /** The locale of all other hosts; undefined if their paths decide. */
  readonly others: string | undefined;
}

/** A page that is the same for every request. */
export interface ConstantPage {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly content: string;
}

/** The pages of an engine that are the same for every request. */
export interface ConstantPages {
  /**
   * All routes of the application, if the engine knows them: `/products/*`, with `**` for any number of segments. The
   * server reports a rule of `routeRules` that matches none of them.
   */
  readonly routes?: readonly string[] | undefined;
  readonly pages: Iterable<ConstantPage>;
  /**
   * Called synchronously before each render.
   *
   * @param path - The path of a well-formed target, without its query.
   * @returns one of {@link ConstantPages.pages}, or undefined for a path that is rendered.
   */
  find(path: string): ConstantPage | undefined;
}

/**
 * Renders one page: `appEngine()`, `commonEngine()`, or your own function `(request) => Response | null`.
 *
 * @param request - A GET request. Its URL is built from the checked host and target; its headers are those
 * received, without preconditions, ranges, connection headers and untrusted proxy headers.
 * @param requestContext - What components inject as Angular's `REQUEST_CONTEXT`.
 * @returns The page, or null when the path is not this application's.
 * @throws Anything: the client gets a 500, and `onError` is called with the error.
 */
export interface RenderEngine {
  (
    request: Request,
    requestContext?: unknown,
  ): Response | null | undefined | Promise<Response | null | undefined>;
  /** Called once, before the first render. */
  readonly setup?: (setup: EngineSetup) => void;
  /**
   * Hosts that the build allows (`security.allowedHosts` in angular.json), in addition to the server's. Read once, before
   * the first request.
   */
  readonly allowedHosts?: () => readonly string[];
  /**
   * Folders of a localized build below the browser folder, by locale. Its prerendered pages get the Content-Language of
   * the engine. Read once at start.
   */
  readonly locales?: () => Readonly<Record<string, string>>;
  /**
   * The folder of the browser files, if it is not the one beside the program. Read once at start; `files.folder` overrides
   * it.
   */
  readonly browserFolder?: () => string | undefined;
  /**
   * Returns pages that need no render, such as routes with `RenderMode.Client`. They are kept in memory. Called once at
   * start, possibly before `setup`.
   */
  readonly constantPages?: () => Promise<ConstantPages>;
  /** Loads what the first render needs. Called after `setup`: at the start of a render thread, elsewhere in spare time. */
  readonly load?: () => Promise<void>;
  /**
   * For `ng-ssr doctor --compare`: the engine in one of two ways that are to give the same pages. It also renders the
   * pages that the build has prerendered. Absent from an engine that has one way.
   */
  readonly compared?: (isFast: boolean) => RenderEngine;
  /**
   * Fails the render if its code leaves an exception or rejection unhandled. Otherwise the error is reported, and the page
   * is sent but not cached. Default: false.
   */
  readonly failOnError?: boolean | undefined;
}
