import { APP_BASE_HREF, PlatformLocation } from '@angular/common';
import { REQUEST, type ApplicationRef } from '@angular/core';
import { ActivatedRoute, Router } from '@angular/router';
import { isNoRouteMatch } from './unmatched-paths.ts';

/** The outcome of the navigation: the requested page, another URL, or none. */
export type Navigation =
  | { readonly kind: 'page' }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'none' };

const PAGE: Navigation = { kind: 'page' };
const NONE: Navigation = { kind: 'none' };

/**
 * Reads the outcome of the initial navigation of a stable application, by the rules of Angular's
 * app engine: an application without a router always has a page; a router that finished no
 * navigation has none; a final URL that serializes differently from the requested one is a redirect.
 */
export function readNavigation(app: ApplicationRef, requested: URL): Navigation {
  if (app.destroyed) return NONE;
  const { injector } = app;
  if (injector.get(ActivatedRoute, null) === null) return PAGE;
  const router = injector.get(Router);
  if (!router.lastSuccessfulNavigation()?.finalUrl) return NONE;

  const final = injector.get(PlatformLocation);
  if (toLocation(final) === toLocation(requested)) return PAGE;
  const prefix =
    injector.get(APP_BASE_HREF, null) ??
    injector.get(REQUEST, null)?.headers.get('X-Forwarded-Prefix') ??
    '';
  return serialize(router, final, prefix) === serialize(router, requested, prefix)
    ? PAGE
    : { kind: 'redirect', location: toLocation(final) };
}

/**
 * Distinguishes a path without a page from one whose page failed: the first navigation may have failed
 * before a listener could be added (Bun runs fewer microtasks until the bootstrap's promise is seen), so
 * the router navigates once more.
 *
 * @throws The error of the navigation, unless no route matches.
 */
export async function repeatNavigation(app: ApplicationRef, requested: string): Promise<void> {
  const { pathname, search, hash } = new URL(requested);
  try {
    await app.injector.get(Router).navigateByUrl(pathname + search + hash);
  } catch (error) {
    if (!isNoRouteMatch(error)) throw error;
  }
}

type Address = Pick<URL, 'pathname' | 'search' | 'hash'>;

function toLocation({ pathname, search, hash }: Address): string {
  return pathname + search + hash;
}

function serialize(router: Router, { pathname, search, hash }: Address, prefix: string): string {
  const path = prefix && !isBelow(pathname, prefix) ? join(prefix, pathname) : pathname;
  return router.serializeUrl(router.parseUrl(withoutEndSlash(path) + search + hash));
}

function isBelow(pathname: string, prefix: string): boolean {
  return `${withoutEndSlash(pathname)}/`.startsWith(`${withoutEndSlash(prefix)}/`);
}

function join(prefix: string, pathname: string): string {
  const path = `${prefix}/${pathname}`.split('/').filter((segment) => segment !== '');
  return `/${path.join('/')}`;
}

function withoutEndSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
