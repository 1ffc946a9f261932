import { AngularAppEngine } from '@angular/ssr';
import type { AngularNodeAppEngine } from '@angular/ssr/node';
import { type DocumentNonce, markNonces, SsrError } from '@ng-ssr/core';
import { describeMissing, type Internal, reportMissing } from './angular-internals.ts';
import { toBootstrapFunction, type ServerBootstrap } from './bootstrap.ts';
import { findErrorHandlers, findValue } from './injector-contents.ts';
import { RenderErrors } from './render-errors.ts';

/**
 * Private parts of AngularNodeAppEngine. Each may be absent: pages are then served as by Angular alone.
 */
interface AppEngineInternals {
  readonly angularAppEngine?: {
    readonly allowedHosts?: Iterable<string>;
    readonly manifest?: { readonly supportedLocales?: Readonly<Record<string, string>> };
    getAngularServerAppForRequest?(request: Request): Promise<ServerApp | null>;
  };
}

interface ServerApp {
  readonly manifest?: Manifest;
}

interface Manifest {
  bootstrap?: () => Promise<ServerBootstrap>;
  /** Built documents and styles, by path. */
  assets?: Record<string, Asset>;
  /** The build's nonce, for critical CSS; Angular 21 has none. */
  nonce?: string;
}

interface Asset {
  readonly text: () => Promise<string>;
}

const watchedManifests = new WeakSet<object>();
const markedManifests = new WeakSet<object>();
const errorsOfRequest = new WeakMap<Request, RenderErrors>();

/** Static properties that `ng serve` sets before its first request. */
interface DevelopmentServer {
  /** Whether every host is allowed. */
  ɵdisableAllowedHostsCheck?: boolean;
  /** Whether pages that a build would prerender are rendered. */
  readonly ɵallowStaticRouteRender?: boolean;
}

const development: DevelopmentServer = AngularAppEngine;

/**
 * Whether the program runs under `ng serve`, whose own server has then checked the host by its
 * `allowedHosts` option and refused some requests already.
 */
export function isDevelopmentServer(): boolean {
  const { ɵdisableAllowedHostsCheck: isChecked, ɵallowStaticRouteRender: isServing } = development;
  return isChecked === true || isServing === true;
}

/** Disables Angular's own check under {@link isDevelopmentServer}, without its warning. */
export function toEngineHosts(allowedHosts: readonly string[]): readonly string[] {
  if (!isDevelopmentServer()) return allowedHosts;
  development.ɵdisableAllowedHostsCheck = true;
  return allowedHosts.filter((host) => host !== '*');
}

/**
 * The hosts of `security.allowedHosts` in angular.json and those passed to the engine; all hosts if
 * the development server has checked the host.
 *
 * @throws SsrError NG_SSR_ANGULAR_CHANGED
 */
export function readAllowedHosts(createEngine: () => AngularNodeAppEngine): readonly string[] {
  const { ɵdisableAllowedHostsCheck: isChecked, ɵallowStaticRouteRender: isServing } = development;
  if (isChecked === undefined) reportMissing('AngularAppEngine.ɵdisableAllowedHostsCheck');
  if (isServing === undefined) reportMissing('AngularAppEngine.ɵallowStaticRouteRender');
  if (isDevelopmentServer()) return ['*'];
  const { angularAppEngine } = createEngine() as unknown as AppEngineInternals;
  if (angularAppEngine === undefined) throw changed('AngularNodeAppEngine#angularAppEngine');
  const { allowedHosts } = angularAppEngine;
  if (allowedHosts === undefined) throw changed('AngularAppEngine#allowedHosts');
  return [...allowedHosts];
}

/**
 * The folders of a localized build by locale. A build with one locale and no folder for it counts as
 * not localized: Angular sends its pages without Content-Language.
 */
export function readLocales(engine: AngularNodeAppEngine): Readonly<Record<string, string>> {
  const { angularAppEngine } = engine as unknown as AppEngineInternals;
  if (angularAppEngine === undefined) {
    reportMissing('AngularNodeAppEngine#angularAppEngine');
    return {};
  }
  const { manifest } = angularAppEngine;
  if (manifest?.supportedLocales === undefined) {
    reportMissing('AngularAppEngine#manifest.supportedLocales');
    return {};
  }
  const { supportedLocales } = manifest;
  const folders = Object.values(supportedLocales);
  return folders.length === 1 && folders[0] === '' ? {} : supportedLocales;
}

function changed(symbol: Internal): SsrError {
  return new SsrError('NG_SSR_ANGULAR_CHANGED', describeMissing(symbol));
}

/**
 * Prepares the application that renders `request`. It is looked up per request, because each locale has
 * its own, loaded on first use, and because `ng serve` creates a new one after each change.
 *
 * @param failOnError - The engine's option.
 * @returns The errors of the render.
 */
export async function prepareRender(
  engine: AngularNodeAppEngine,
  request: Request,
  failOnError: boolean | undefined,
  nonce: DocumentNonce | undefined,
): Promise<RenderErrors> {
  const errors = new RenderErrors(failOnError);
  const manifest = await findManifest(engine, request);
  if (manifest === undefined) return errors;
  if (nonce !== undefined && !markedManifests.has(manifest)) {
    markedManifests.add(manifest);
    markAssets(manifest, nonce);
  }
  if (!watchedManifests.has(manifest)) {
    watchedManifests.add(manifest);
    watchBootstrap(manifest);
  }
  errorsOfRequest.set(request, errors);
  return errors;
}

/** Undefined for a request without an application, because the build does not have its locale. */
async function findManifest(
  engine: AngularNodeAppEngine,
  request: Request,
): Promise<Manifest | undefined> {
  const { angularAppEngine } = engine as unknown as AppEngineInternals;
  if (angularAppEngine === undefined) {
    reportMissing('AngularNodeAppEngine#angularAppEngine');
    return undefined;
  }
  if (angularAppEngine.getAngularServerAppForRequest === undefined) {
    reportMissing('AngularAppEngine#getAngularServerAppForRequest');
    return undefined;
  }
  const app = await angularAppEngine.getAngularServerAppForRequest(request);
  if (app !== null && app.manifest === undefined) reportMissing('AngularServerApp#manifest');
  return app?.manifest;
}

/**
 * Puts the process's nonce into the document for rendering, the CSR page and prerendered pages. Their
 * recorded sizes and hashes stay those of the build: the server computes its own.
 */
function markAssets(manifest: Manifest, nonce: DocumentNonce): void {
  const { assets } = manifest;
  if (manifest.nonce === nonce.placeholder) manifest.nonce = nonce.secret;
  if (assets === undefined) return reportMissing('AngularServerApp#manifest.assets');
  for (const [path, asset] of Object.entries(assets)) {
    if (!path.endsWith('.html')) continue;
    let marked: Promise<string> | undefined;
    const text = (): Promise<string> =>
      (marked ??= asset.text().then((document) => markNonces(document, nonce)));
    assets[path] = { ...asset, text };
  }
}

function watchBootstrap(manifest: Manifest): void {
  const load = manifest.bootstrap;
  if (load === undefined) return reportMissing('AngularServerApp#manifest.bootstrap');
  manifest.bootstrap = async () => {
    const bootstrap = toBootstrapFunction(await load());
    return async (context) => {
      const app = await bootstrap(context);
      const errors = findValue(context.platformRef.injector, errorsOf);
      errors?.follow(app, findErrorHandlers(app.injector));
      return app;
    };
  };
}

/** The errors of the request that Angular provides as REQUEST. */
function errorsOf(value: object): RenderErrors | undefined {
  return value instanceof Request ? errorsOfRequest.get(value) : undefined;
}
