import { RenderMode } from '@angular/ssr';
import type { AngularNodeAppEngine } from '@angular/ssr/node';
import type { ConstantPage, ConstantPages } from '@ng-ssr/core';
import { reportMissing } from './angular-internals.ts';

/** Private parts of AngularNodeAppEngine, each of which may be absent. */
interface AppEngineInternals {
  readonly angularAppEngine?: {
    readonly manifest?: { readonly supportedLocales?: Readonly<Record<string, string>> };
    getAngularServerAppForRequest?(request: Request): Promise<ServerApp | null>;
  };
}

interface ServerApp {
  readonly manifest?: { readonly routes?: readonly Route[] };
  /** Set with the first request. */
  readonly router?: { match?(url: URL): Route | undefined };
  handle?(request: Request): Promise<Response | null>;
}

interface Route {
  readonly route: string;
  readonly renderMode: RenderMode;
  readonly redirectTo?: string;
  readonly status?: number;
}

/** Pages for other paths are none of the application. */
function isFound({ route, status }: Route): boolean {
  return route !== '/**' || status !== 404;
}

const ORIGIN = 'http://localhost';
/** Replaces `*`, and repeated `**`: no route has this name or depth. */
const SEGMENT = '~';
const SEGMENTS = Array(16).fill(SEGMENT).join('/');

/** A path that the route of a build matches. */
function toPath(route: string): string {
  return route.replace('**', SEGMENTS).replaceAll('*', SEGMENT);
}

/** A request for a route with `RenderMode.Server`; undefined if the application has none. */
export function requestToRender({ manifest }: Pick<ServerApp, 'manifest'>): Request | undefined {
  const found = manifest?.routes?.find(
    ({ renderMode, redirectTo }) => renderMode === RenderMode.Server && redirectTo === undefined,
  );
  return found && new Request(ORIGIN + toPath(found.route));
}

/**
 * Finds the pages of routes with `RenderMode.Client`: Angular answers all requests for such a route with
 * the same document. The pages are Angular's own answers, and its router matches paths to routes.
 *
 * It finds none for other paths, and none at all if Angular has other internals or several locales.
 */
export async function findClientPages(engine: AngularNodeAppEngine): Promise<ConstantPages> {
  const pages = new Map<Route, ConstantPage>();
  const app = await findServerApp(engine);
  for (const { route, renderMode, redirectTo } of app?.manifest?.routes ?? []) {
    if (renderMode !== RenderMode.Client || redirectTo !== undefined) continue;
    const path = toPath(route);
    const response = await app?.handle?.(new Request(ORIGIN + path));
    const match = matchOf(app, path);
    if (!response) continue;
    // Another route may have matched first.
    if (match?.route !== route) await response.body?.cancel();
    else pages.set(match, await toPage(response));
  }
  return {
    pages: [...pages.values()],
    find(path) {
      // Angular skips some files, whatever the routes are, so names with a dot are left out.
      if (path.includes('.', path.lastIndexOf('/'))) return undefined;
      const match = matchOf(app, path);
      return match && pages.get(match);
    },
    routes: app?.manifest?.routes?.filter(isFound).map(({ route }) => route),
  };
}

async function findServerApp(engine: AngularNodeAppEngine): Promise<ServerApp | undefined> {
  const { angularAppEngine } = engine as unknown as AppEngineInternals;
  // With several locales only Angular knows the locale of a path.
  const locales = Object.keys(angularAppEngine?.manifest?.supportedLocales ?? {});
  if (locales.length !== 1) return undefined;
  const app = await angularAppEngine?.getAngularServerAppForRequest?.(new Request(ORIGIN));
  if (!app) return undefined;
  if (app.manifest?.routes === undefined) reportMissing('AngularServerApp#manifest.routes');
  if (app.handle === undefined) reportMissing('AngularServerApp#handle');
  if (!('router' in app)) reportMissing('AngularServerApp#router');
  return app;
}

/** Undefined for a path that Angular cannot decode. */
function matchOf(app: ServerApp | undefined, path: string): Route | undefined {
  try {
    return app?.router?.match?.(new URL(ORIGIN + path));
  } catch {
    return undefined;
  }
}

async function toPage(response: Response): Promise<ConstantPage> {
  const { status, headers } = response;
  return { status, headers: [...headers], content: await response.text() };
}
