import type { DocumentNonce } from './document-nonce.ts';

/** What a server passes to its engine, once, before the first render. */
export interface EngineSetup {
  /** Hosts that the server answers for. It has checked the request's host against them. */
  readonly allowedHosts: readonly string[];
  /**
   * Whether a function has decided on the host of each request: `allowedHosts` then has `*`, and a warning about that
   * would be wrong.
   */
  readonly areHostsAsked?: boolean | undefined;
  /** Proxy headers that the server trusts. All others are removed from requests before a render. */
  readonly trustProxyHeaders: boolean | readonly string[];
  /** The folder of the built browser files, or undefined where there is none (`ng serve`). */
  readonly browserFolder: string | undefined;
  /**
   * With `withNonce()`: the engine renders into a document in which {@link markNonces} has replaced the
   * placeholder with the secret. A page whose nonce is the placeholder is not sent.
   */
  readonly nonce?: DocumentNonce | undefined;
  /**
   * With `withPublicConfig()`: an HTML element. The engine renders into a document that {@link insertPublicConfig} has put
   * it into.
   */
  readonly publicConfig?: string | undefined;
  /** In a localized build, of `withLocales()`: an engine renders the pages of these hosts in their locale. */
  readonly hostLocales?: HostLocales | undefined;
}

/** The locales that hosts have at their root: no path says them. */
export interface HostLocales {
  /** Paths of other locales, without a slash at the end: below them the path decides on these hosts too. */
  readonly otherPaths: readonly string[];
  /** By host name, without port. */
  readonly hosts: Readonly<Record<string, string>>;
  /** That of all other hosts; undefined if their paths say it. */
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
   * All routes of the application, if the engine knows them: `/products/*`, with `**` for any number of segments. Without
   * one that is answered as not found. A rule of `routeRules` that none of them can match is reported.
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
 * Renders one page. `appEngine()` and `commonEngine()` of `@ng-ssr/engines` return such functions, and any
 * `(request) => Response | null` of your own is one.
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
   * Hosts that the build itself allows (`security.allowedHosts` in angular.json), added to the
   * server's own. Read once, before the first request is answered.
   */
  readonly allowedHosts?: () => readonly string[];
  /**
   * Folders of a localized build below the browser folder, by locale: its prerendered pages are sent with the
   * Content-Language that the engine would send. Read once at start, if there is a build.
   */
  readonly locales?: () => Readonly<Record<string, string>>;
  /**
   * The folder of the built browser files, if it is not the one that belongs to the program. Read once at start; the
   * option `files.folder` overrides it.
   */
  readonly browserFolder?: () => string | undefined;
  /**
   * Returns the pages that need no render, such as those of routes with Angular's `RenderMode.Client`: they
   * are answered from prebuilt bytes. Called once at start, if there is a build, and possibly before `setup`.
   */
  readonly constantPages?: () => Promise<ConstantPages>;
  /**
   * Loads what the first render needs. A render thread calls it after `setup` and before it takes renders, whose
   * time is limited.
   */
  readonly load?: () => Promise<void>;
  /**
   * For `ng-ssr doctor --compare`: the engine in one of two ways that are to give the same pages. It also renders the
   * pages that the build has prerendered. Absent from an engine that has one way.
   */
  readonly compared?: (isFast: boolean) => RenderEngine;
  /**
   * Whether the render fails when code that it has started leaves an exception or a rejection unhandled. Else the
   * error is reported, and the page is sent but not stored. A call of `process.exit` always fails it. Default: false.
   */
  readonly failOnError?: boolean | undefined;
}
