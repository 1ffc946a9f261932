import { AngularAppEngine, RenderMode } from '@angular/ssr';
import type { AngularNodeAppEngine } from '@angular/ssr/node';
import type { EngineSetup } from '@ng-ssr/core';
import { insertPublicConfig, markNonces, SsrError } from '@ng-ssr/core/neutral';
import { changed, reportMissing } from './angular-internals.ts';
import { toBootstrapFunction, type ServerBootstrap } from './bootstrap.ts';
import type { FastServerApp } from './fast/angular-hooks.ts';
import type { Rehearsal } from './fast/rehearsal.ts';
import { followErrorHandlers, findValue } from './injector-contents.ts';
import type { RenderErrors } from './render-errors.ts';
import { Slot } from './slot.ts';

/** Angular's app engine, or its wrapper for Node. */
export type AppEngine = AngularAppEngine | AngularNodeAppEngine;

/** Private parts of AngularAppEngine. Each may be absent: pages are then served as by Angular alone. */
interface AppEngineInternals {
  readonly allowedHosts?: Iterable<string>;
  readonly manifest?: { readonly supportedLocales?: Readonly<Record<string, string>> };
  getAngularServerAppForRequest?(request: Request): Promise<ServerApp | null>;
}

function internalsOf(engine: AppEngine): AppEngineInternals | undefined {
  if (engine instanceof AngularAppEngine) return engine as unknown as AppEngineInternals;
  return (engine as unknown as { readonly angularAppEngine?: AppEngineInternals }).angularAppEngine;
}

/** What the server puts into the documents of the build. */
export type DocumentMarks = Pick<EngineSetup, 'nonce' | 'publicConfig'>;

/** The application of a locale, as far as it is used here. */
export interface ServerApp extends FastServerApp {
  /** What the manifest's bootstrap function has given, from the first render on. The name is Angular's. */
  boostrap?: unknown;
  /** What inlines critical CSS, with the nonce that the manifest had at first. */
  inlineCriticalCssProcessor?: unknown;
  readonly manifest?: Manifest;
  handle?(request: Request): Promise<Response | null>;
}

interface Manifest {
  bootstrap?: () => Promise<ServerBootstrap>;
  /** Built documents and styles, by path. */
  assets?: Record<string, Asset>;
  /** The build's nonce, for critical CSS; Angular 21 has none. */
  nonce?: string;
  readonly criticalCssPlans?: readonly unknown[];
  readonly inlineCriticalCss?: boolean;
  readonly routes?: readonly RoutedPage[];
}

interface Asset {
  readonly text: () => Promise<string>;
}

const watchedManifests = new WeakSet<object>();
const keptManifests = new WeakSet<object>();
/** Those whose documents have the process's nonce: another engine of the process may have none. */
const markedManifests = new WeakSet<object>();
/** What the documents of an application carry as their public configuration: the process has each application once. */
const configOf = new WeakMap<object, string | undefined>();
/** Applications of builds with one locale. */
const soleApps = new WeakMap<AppEngine, ServerApp>();
const renders = new Slot<Request, Render>('render');

/** A render that is followed from its request on. */
interface Render {
  readonly errors: RenderErrors;
  /** Undefined for a render with Angular's own DOM. */
  readonly fast: Rehearsal | undefined;
}

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

/** Angular accepts only these names; the server has removed headers that it does not trust. */
export function toProxyHeaders(trusted: boolean | readonly string[]): boolean | readonly string[] {
  if (typeof trusted === 'boolean') return trusted;
  return trusted.filter((name) => /^(forwarded$|x-forwarded-)/i.test(name));
}

/** Disables Angular's own check under {@link isDevelopmentServer}, without its warning. */
export function toEngineHosts(allowedHosts: readonly string[]): readonly string[] {
  if (!isDevelopmentServer()) return allowedHosts;
  development.ɵdisableAllowedHostsCheck = true;
  return allowedHosts.filter((host) => host !== '*');
}

/** Leaves the check of hosts to the server, without Angular's warning: a function has allowed each one. */
export function allowAllHosts(engine: AngularNodeAppEngine): void {
  const { allowedHosts } = internalsOf(engine) ?? {};
  if (!(allowedHosts instanceof Set)) throw changed('AngularAppEngine#allowedHosts');
  allowedHosts.add('*');
}

/**
 * The hosts of `security.allowedHosts` in angular.json and those passed to the engine; all hosts if
 * the development server has checked the host.
 *
 * @throws SsrError NG_SSR_ANGULAR_CHANGED
 */
export function readAllowedHosts(createEngine: () => AppEngine): readonly string[] {
  const { ɵdisableAllowedHostsCheck: isChecked, ɵallowStaticRouteRender: isServing } = development;
  if (isChecked === undefined) reportMissing('AngularAppEngine.ɵdisableAllowedHostsCheck');
  if (isServing === undefined) reportMissing('AngularAppEngine.ɵallowStaticRouteRender');
  if (isDevelopmentServer()) return ['*'];
  const angularAppEngine = internalsOf(createEngine());
  if (angularAppEngine === undefined) throw changed('AngularNodeAppEngine#angularAppEngine');
  const { allowedHosts } = angularAppEngine;
  if (allowedHosts === undefined) throw changed('AngularAppEngine#allowedHosts');
  return [...allowedHosts];
}

/**
 * The folders of a localized build by locale. A build with one locale and no folder for it counts as
 * not localized: Angular sends its pages without Content-Language.
 */
export function readLocales(engine: AppEngine): Readonly<Record<string, string>> {
  const angularAppEngine = internalsOf(engine);
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

/**
 * Prepares the application that renders `request`. It is looked up per request, because each locale has
 * its own, loaded on first use, and because `ng serve` creates a new one after each change.
 *
 * @returns undefined without the application's internals.
 * @throws SsrError `NG_SSR_OPTION_INVALID` if another server of the process has another public configuration.
 */
export async function prepareApp(
  engine: AppEngine,
  request: Request,
  marks: DocumentMarks,
): Promise<ServerApp | undefined> {
  const app = await findApp(engine, request);
  const manifest = app?.manifest;
  if (app === undefined || manifest === undefined) return undefined;
  const isReconfigured = reconfigure(manifest, marks);
  const done = marks.nonce === undefined ? keptManifests : markedManifests;
  if (isReconfigured || !done.has(manifest)) {
    done.add(manifest);
    keepDocuments(manifest, marks);
    // Angular 21 makes an object of it, once and without a nonce.
    if (typeof app.inlineCriticalCssProcessor === 'function')
      app.inlineCriticalCssProcessor = undefined;
  }
  if (!watchedManifests.has(manifest)) {
    watchedManifests.add(manifest);
    watchBootstrap(manifest);
    // Kept where an engine of Angular's own has rendered in this process: its renders would not be followed.
    app.boostrap = undefined;
  }
  return app;
}

/** Has an application render the route of a request, although the build has prerendered it. */
export function renderPrerendered({ manifest, router }: ServerApp, { url }: Request): void {
  // The router is made of these with the first request.
  const known: readonly RoutedPage[] = router === undefined ? (manifest?.routes ?? []) : [];
  const matched = router?.match?.(new URL(url)) as RoutedPage | undefined;
  for (const page of matched === undefined ? known : [matched]) {
    if (page.renderMode === RenderMode.Prerender) page.renderMode = RenderMode.Server;
  }
}

/** A route of the application, as far as it is changed here. */
interface RoutedPage {
  renderMode?: RenderMode;
}

/** Follows the render of a request that begins now, in an application that {@link prepareApp} has returned. */
export function followRender(request: Request, render: Render): void {
  renders.set(request, render);
}

/** Undefined for a request without an application, because the build does not have its locale. */
async function findApp(engine: AppEngine, request: Request): Promise<ServerApp | undefined> {
  const sole = soleApps.get(engine);
  if (sole !== undefined) return sole;
  const angularAppEngine = internalsOf(engine);
  if (angularAppEngine === undefined) {
    reportMissing('AngularNodeAppEngine#angularAppEngine');
    return undefined;
  }
  if (angularAppEngine.getAngularServerAppForRequest === undefined) {
    reportMissing('AngularAppEngine#getAngularServerAppForRequest');
    return undefined;
  }
  const app = await angularAppEngine.getAngularServerAppForRequest(request);
  if (app === null) return undefined;
  if (app.manifest === undefined) reportMissing('AngularServerApp#manifest');
  const { supportedLocales } = angularAppEngine.manifest ?? {};
  const hasOneLocale = supportedLocales !== undefined && Object.keys(supportedLocales).length === 1;
  if (hasOneLocale && !isDevelopmentServer()) soleApps.set(engine, app);
  return app;
}

/**
 * Keeps the texts of the document for rendering, the CSR page and prerendered pages, which Angular imports again
 * for each render, and puts the process's nonce and public configuration into them. Their recorded sizes and hashes stay those of the
 * build: the server computes its own.
 */
function keepDocuments(manifest: Manifest, { nonce, publicConfig }: DocumentMarks): void {
  const { assets } = manifest;
  if (nonce !== undefined && manifest.nonce === nonce.placeholder) manifest.nonce = nonce.secret;
  if (assets === undefined) {
    if (nonce !== undefined || publicConfig !== undefined)
      reportMissing('AngularServerApp#manifest.assets');
    return;
  }
  for (const [path, asset] of Object.entries(assets)) {
    if (!path.endsWith('.html')) continue;
    let kept: Promise<string> | undefined;
    const load = async (): Promise<string> => {
      try {
        const document = await asset.text();
        const marked = nonce === undefined ? document : markNonces(document, nonce);
        return insertPublicConfig(marked, publicConfig);
      } catch (error) {
        // The next render may find the file.
        kept = undefined;
        throw error;
      }
    };
    assets[path] = { ...asset, text: () => (kept ??= load()) };
  }
}

/**
 * Whether the public configuration has changed, as under `ng serve` when a developer changes it. Elsewhere there are
 * two servers, and pages of one would have the configuration of the other.
 */
function reconfigure(manifest: Manifest, { publicConfig }: DocumentMarks): boolean {
  const isFirst = !configOf.has(manifest);
  if (!isFirst && configOf.get(manifest) === publicConfig) return false;
  if (isFirst || isDevelopmentServer()) {
    configOf.set(manifest, publicConfig);
    return !isFirst;
  }
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    'withPublicConfig() differs from that of another server in this process, which renders the same ' +
      'application; allowed: one configuration for each process',
  );
}

function watchBootstrap(manifest: Manifest): void {
  const load = manifest.bootstrap;
  if (load === undefined) return reportMissing('AngularServerApp#manifest.bootstrap');
  manifest.bootstrap = async () => {
    const bootstrap = toBootstrapFunction(await load());
    return async (context) => {
      const { platformRef } = context;
      const render = findValue(platformRef.injector, renderOf);
      if (render === undefined) return bootstrap(context);
      const { errors, fast } = render;
      fast?.enter(platformRef);
      const app = await errors.start(platformRef, () => bootstrap(context), followErrorHandlers);
      fast?.follow?.(app);
      return app;
    };
  };
}

/** The render of the request that Angular provides as REQUEST. */
function renderOf(value: object): Render | undefined {
  return value instanceof Request ? renders.get(value) : undefined;
}
