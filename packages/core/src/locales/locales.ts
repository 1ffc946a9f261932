import type { HostLocales } from '../engine.ts';
import { type BuiltLocale, type BuiltLocales, siteOf } from '../files/built-locales.ts';
import type { FindLinks } from '../files/indexing/page-routes.ts';
import { isWellFormed, pathOf } from '../http/target.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';

/** The locales of a build, as paths choose them. Those of a feature know more that chooses. */
export class Locales {
  /** Those with `hasHosts` are at the root of hosts. */
  readonly built: BuiltLocales;
  /** The locale of paths without one; undefined if the engine decides. */
  readonly fallback: BuiltLocale | undefined = undefined;
  /** What an engine must know to render the pages of hosts; undefined if no host has a locale at its root. */
  readonly ofHosts: HostLocales | undefined = undefined;
  /** The locale that a host has at its root, for a path that is not another locale's. */
  readonly atRootOf: (hostname: string, path: string) => BuiltLocale | undefined = () => undefined;
  /** Finds what prerendered pages name in their Link header, of the paths of all files below the browser folder. */
  readonly toLinks: (files: Iterable<string>) => FindLinks | undefined = () => undefined;

  constructor(built: BuiltLocales) {
    this.built = built;
  }

  /** The name in the index of files of what a request's host has at its root: see {@link siteOf}. */
  siteOf(request: ParsedRequest): string {
    const locale = this.#atRootOfRequest(request);
    return locale === undefined ? '' : siteOf(locale);
  }

  /** The path of the folder that a request's host has at its root; empty for the browser folder. */
  folderOf(request: ParsedRequest): string {
    const locale = this.#atRootOfRequest(request);
    return locale === undefined ? '' : `/${locale.folder}`;
  }

  #atRootOfRequest({ site, target }: ParsedRequest): BuiltLocale | undefined {
    if (this.ofHosts === undefined || site.verdict === 'malformed') return undefined;
    return this.atRootOf(site.hostname, pathOf(target));
  }

  /** The locale of a request, for its error pages and its CSR page. */
  of({ site, target }: ParsedRequest): BuiltLocale | undefined {
    const path = isWellFormed(target) ? pathOf(target) : '';
    const isKnown = site.verdict !== 'malformed';
    const atRoot = isKnown ? this.atRootOf(site.hostname, path) : undefined;
    return atRoot ?? this.built.ofPath(path) ?? this.fallback;
  }

  /** The base href of the document that a page is rendered into. */
  baseHrefOf({ hostname, pathname }: URL): string {
    const locale = this.atRootOf(hostname, pathname) ?? this.built.ofPath(pathname);
    return locale?.baseHref ?? this.built.baseHref;
  }
}
