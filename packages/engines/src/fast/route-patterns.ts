import type { ApplicationRef } from '@angular/core';
import { findRouter } from '../injector-contents.ts';

/** A route in a state of the Router. */
interface MatchedRoute {
  readonly url: readonly object[];
  readonly routeConfig: { readonly path?: string } | null;
  readonly firstChild: MatchedRoute | null;
}

interface RouterState {
  readonly root: MatchedRoute;
}

/** The `type` of the router's RoutesRecognized. */
const ROUTES_RECOGNIZED = 4;
const ALL = '/**';
/** With more paths whose route is unknown, such as those of an application that does not start, all are one route. */
const MAX_UNKNOWN = 4;

/** Names the routes of CommonEngine's pages by their paths in the Router's configuration: `/products/:id`. */
export class RoutePatterns {
  readonly #known = new Set<string>();
  readonly #unknown = new Set<string>();

  /** The known route of a path, or the path. */
  of(pathname: string): string {
    const segments = segmentsOf(pathname);
    for (const pattern of this.#known) if (isMatch(pattern, segments)) return pattern;
    return pathname;
  }

  /** Remembers the route of a path; `matched` is undefined where it is unknown. */
  learn(pathname: string, matched: MatchedRoute | undefined): string {
    let pattern = matched && patternOf(matched, segmentsOf(pathname));
    if (pattern === undefined) {
      this.#unknown.add(pathname);
      if (this.#unknown.size <= MAX_UNKNOWN) return pathname;
      pattern = ALL;
    }
    this.#known.add(pattern);
    return pattern;
  }
}

/** Follows which route the Router matches; the result gives it. */
export function followRoute(app: ApplicationRef): () => MatchedRoute | undefined {
  const router = findRouter(app.injector);
  let state: RouterState | undefined;
  router?.events.subscribe((event) => {
    if (event.type === ROUTES_RECOGNIZED && 'state' in event) state = event.state as RouterState;
  });
  // The Router may have been faster, and a failed navigation restores its state.
  return () => {
    const { root } = state ?? (router?.routerState?.snapshot as RouterState | undefined) ?? {};
    return root?.firstChild ? root : undefined;
  };
}

/**
 * The segments of the path, with the names of its parameters in place of their values. Segments before those that the
 * Router has matched are its base.
 */
function patternOf(root: MatchedRoute, segments: readonly string[]): string | undefined {
  const names: string[] = [];
  for (let at: MatchedRoute | null = root; at !== null; at = at.firstChild) {
    const path = at.routeConfig?.path?.split('/') ?? [];
    for (let i = 0; i < at.url.length; i++) names.push(path[0] === '**' ? '**' : (path[i] ?? ''));
  }
  const base = segments.length - names.length;
  if (base < 0) return undefined;
  const parts = segments.map((segment, i) =>
    isVariable(names[i - base]) ? names[i - base]! : segment,
  );
  const open = parts.indexOf('**', base);
  return `/${(open < 0 ? parts : parts.slice(0, open + 1)).join('/')}`;
}

function isVariable(name: string | undefined): boolean {
  return name === '**' || name?.startsWith(':') === true;
}

function isMatch(pattern: string, segments: readonly string[]): boolean {
  const parts = segmentsOf(pattern);
  const isOpen = parts.at(-1) === '**';
  if (isOpen ? parts.length > segments.length + 1 : parts.length !== segments.length) return false;
  return parts.every((part, i) => isVariable(part) || part === segments[i]);
}

/** Without the Router's matrix parameters. */
function segmentsOf(pathname: string): string[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return segments.map((segment) => segment.split(';', 1)[0]!);
}
