import type { Injector } from '@angular/core';
import type { DomClasses } from '@ng-ssr/dom';
import { reportMissing } from '../angular-internals.ts';
import { findValue } from '../injector-contents.ts';
import type { InlineCss } from './page-styles.ts';

/** What Angular gets in place of the page. */
export const MARKER = '<!--ng-ssr-->';

const encoder = new TextEncoder();

/**
 * The value of Angular's INITIAL_CONFIG: it says into which document a page is rendered, as text or as a
 * Document.
 */
export interface InitialConfig {
  document: string | object;
  readonly url: string;
}

/** Finds the configuration of one render, as long as it has the document as text. */
export function findInitialConfig(
  injector: Injector,
): { readonly config: InitialConfig; readonly html: string } | undefined {
  return findValue(injector, (value) => {
    const { document, url } = value as { document?: unknown; url?: unknown };
    if (typeof document !== 'string' || typeof url !== 'string') return undefined;
    return { config: value as InitialConfig, html: document };
  });
}

/**
 * The classes of the DOM that the platform created last has put on `globalThis`: right after its creation
 * these are the classes of the same bundle, and each locale has its own.
 */
export function readDomClasses(): DomClasses {
  const classes: Record<string, unknown> = {};
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    if (typeof value === 'function' && /^[A-Z]/.test(name)) classes[name] = value;
  }
  return classes;
}

/** The class that stands for all of them. */
export function currentDocumentClass(): object | undefined {
  const { Document: found } = globalThis as { Document?: unknown };
  return typeof found === 'function' ? found : undefined;
}

/** Private parts of AngularServerApp that the fast path uses; each may be absent. */
export interface FastServerApp {
  readonly manifest?: {
    /** Since Angular 22.2. */
    readonly criticalCssPlans?: readonly unknown[];
    /** Before Angular 22.2. */
    readonly inlineCriticalCss?: boolean;
  };
  readonly router?: { match?(url: URL): { readonly route?: string } | undefined };
  /** Since Angular 22.2; before, it parses the page, and resolves. */
  inlineCriticalCss?(html: string): string;
  inlineCriticalCssWithCache?: InlineWithCache;
}

/** Inlines critical CSS before Angular 22.2: it remembers the last page of each of 50 URLs, by its SHA-256. */
type InlineWithCache = (html: string, url: URL | string) => Promise<Uint8Array<ArrayBuffer>>;

/** The route of a request; undefined for a path that Angular cannot decode. */
export function routeOf({ router }: FastServerApp, url: string): string | undefined {
  try {
    return router?.match?.(new URL(url))?.route;
  } catch {
    return undefined;
  }
}

/** How the application inlines critical CSS: `inline` is undefined if the build has none. */
export function readCriticalCss(
  app: FastServerApp,
): { readonly plans: readonly unknown[]; readonly inline: InlineCss | undefined } | undefined {
  const plans = app.manifest?.criticalCssPlans ?? [];
  if (plans.length === 0) {
    const isParsed = app.manifest?.inlineCriticalCss === true && !leavesPages(app);
    return isParsed ? readParsedCriticalCss(app) : { plans, inline: undefined };
  }
  const original = app.inlineCriticalCss;
  if (original === undefined) return undefined;
  const inline = (html: string): string => original.call(app, html);
  // Angular prepares a search for all selectors even for a page without a link.
  app.inlineCriticalCss = (html) => (html === MARKER ? html : inline(html));
  return { plans, inline };
}

/** Since Angular 22.2 the server inlines plans alone, and none for a build of an earlier `@angular/build`. */
function leavesPages(app: FastServerApp): boolean {
  const isOlder = app.inlineCriticalCssWithCache !== undefined;
  return !isOlder && app.inlineCriticalCss?.(MARKER) === MARKER;
}

/**
 * Before Angular 22.2 builds have no plans that name the selectors: each page is given to Angular. The marker is not:
 * Angular would remember it in place of the page.
 */
function readParsedCriticalCss(app: FastServerApp): ReturnType<typeof readCriticalCss> {
  const original = app.inlineCriticalCssWithCache;
  if (original === undefined) return undefined;
  const inline: InlineWithCache = (html, url) => original.call(app, html, url);
  app.inlineCriticalCssWithCache = async (html, url) =>
    html === MARKER ? encoder.encode(html) : inline(html, url);
  // Others may transfer the bytes that they get.
  return { plans: [], inline: async (html, url) => new Uint8Array(await inline(html, url)) };
}

/** How CommonEngine inlines critical CSS from the files of a folder; undefined if it has another way. */
export function readInlineCss(
  engine: object,
  publicPath: string | undefined,
): ((html: string) => Promise<string>) | undefined {
  const angular = engine as {
    inlineCriticalCss?(html: string, options: { publicPath: string | undefined }): Promise<string>;
  };
  if (angular.inlineCriticalCss === undefined) {
    reportMissing('CommonEngine#inlineCriticalCss');
    return undefined;
  }
  return (html) => angular.inlineCriticalCss!(html, { publicPath });
}
