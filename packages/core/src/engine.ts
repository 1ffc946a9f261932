import type { DocumentNonce } from './nonce/document-nonce.ts';

/** What a server tells its engine, once, before the first render. */
export interface EngineSetup {
  /** The hosts the server answers for; it has checked the request's host against them. */
  readonly allowedHosts: readonly string[];
  /** Proxy fields the server believes; all others are removed from requests before a render. */
  readonly trustProxyHeaders: boolean | readonly string[];
  /** The folder of the built browser files, or undefined where there is none (`ng serve`). */
  readonly browserFolder: string | undefined;
  /**
   * With `cache.nonce`: the engine renders into a document that has the secret in the placeholder's
   * place ({@link markNonces}). A page whose nonce is the placeholder is not sent.
   */
  readonly nonce?: DocumentNonce | undefined;
}

/** A page that is the same for every request. */
export interface ConstantPage {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly content: string;
}

/** The pages of an engine that are the same for every request. */
export interface ConstantPages {
  readonly pages: Iterable<ConstantPage>;
  /**
   * Synchronous, and asked before each render.
   *
   * @param path - Of a well-formed target, without its query.
   * @returns one of {@link ConstantPages.pages}, or undefined for a path that is rendered.
   */
  find(path: string): ConstantPage | undefined;
}

/**
 * Renders one page. `appEngine()` and `commonEngine()` of `@ng-ssr/engines` are such functions, and
 * so is any `(request) => Response | null` of yours.
 *
 * @param request - The request: GET, an URL made of the checked host and target, the request's
 * fields without preconditions, ranges and untrusted proxy fields.
 * @param requestContext - What components inject as Angular's `REQUEST_CONTEXT`.
 * @returns The page, or null when the path is not this application's.
 * @throws Anything: the client gets a 500 and `onError` the error.
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
   * The folders of a localized build below the browser folder, by locale: its prerendered pages are sent
   * with the Content-Language that the engine would send. Read once, at start, where there is a build.
   */
  readonly locales?: () => Readonly<Record<string, string>>;
  /**
   * Tells which pages need no render, such as those of routes with Angular's `RenderMode.Client`: they are
   * answered from ready bytes. Called once, at start, where there is a build; `setup` may not have been
   * called.
   */
  readonly constantPages?: () => Promise<ConstantPages>;
  /**
   * How a page is answered when something that its render has started leaves an exception or a rejection
   * unhandled. By default, and with `false`, the error is reported and the page answered, but not
   * stored; with `true` the render fails. `process.exit` fails it unless this is `false`.
   */
  readonly failOnError?: boolean | undefined;
}
