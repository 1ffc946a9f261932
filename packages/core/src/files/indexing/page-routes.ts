import { localeOf } from '../content-language.ts';
import type { PrerenderedRoute } from '../prerendered-routes.ts';
import { PRERENDERED_MARKER } from '../../prerendered-marker.ts';
import type { UrlPaths } from './url-paths.ts';

/** The Link header of a page's file, beside what its route declares; undefined for none. */
export type FindLinks = (file: string) => string | undefined;

/** What is known of the pages of a build. */
export interface BuiltPages {
  /** Those that the CLI has listed, by path; undefined if it has made no list. */
  readonly listed: ReadonlyMap<string, PrerenderedRoute> | undefined;
  /** The folder of each locale. */
  readonly locales: Readonly<Record<string, string>>;
  /** The folders that have the build of a locale. */
  readonly buildsBelow: readonly string[];
  readonly linksOf: FindLinks | undefined;
}

/** Which files are prerendered pages, and with which status and headers they are answered. */
export class PageRoutes {
  readonly #pages: BuiltPages;
  readonly #urlPaths: UrlPaths;

  constructor(pages: BuiltPages, urlPaths: UrlPaths) {
    this.#pages = pages;
    this.#urlPaths = urlPaths;
  }

  /** The route of a page; undefined for an index.html that is a plain file. */
  of(path: string, body: Buffer): PrerenderedRoute | undefined {
    const listed = this.listedOf(path);
    if (listed !== undefined || !body.includes(PRERENDERED_MARKER)) return listed;
    return this.#withOwnHeaders(path, { headers: {}, status: 200 });
  }

  /** The same for a page whose content is not read. */
  listedOf(path: string): PrerenderedRoute | undefined {
    const { listed } = this.#pages;
    // Those of locales with the same base href have the same entry.
    const page = this.#urlPaths.pageOf(path);
    // The CLI lists routes with the base href, but places the files without it.
    const below = this.#urlPaths.below(page);
    const route = listed?.get(below) ?? listed?.get(encodeURI(below)) ?? listed?.get(page);
    return route && this.#withOwnHeaders(path, route);
  }

  /** The route's Content-Language overrides the locale's, as under the app engine. */
  #withOwnHeaders(path: string, { headers, status }: PrerenderedRoute): PrerenderedRoute {
    const { locales, buildsBelow, linksOf } = this.#pages;
    const locale = localeOf(path, locales, buildsBelow);
    const links = status === 200 ? linksOf?.(path) : undefined;
    return {
      status,
      headers: {
        ...(locale !== undefined && { 'Content-Language': locale }),
        ...(links === undefined ? headers : withLink(headers, links)),
      },
    };
  }
}

/** Adds to the Link header that a route declares. */
function withLink(
  headers: PrerenderedRoute['headers'],
  links: string,
): PrerenderedRoute['headers'] {
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'link');
  if (own === undefined) return { ...headers, Link: links };
  return { ...headers, [own]: `${headers[own]}, ${links}` };
}
