import type { PlatformRef } from '@angular/core';
import type { SsrDocument } from '@ng-ssr/dom';
import { type Internal, reportMissing } from '../angular-internals.ts';
import { currentDocumentClass, findInitialConfig } from './angular-hooks.ts';
import { domOf, watchRender } from './angular-dom.ts';
import type { Draft, PageStyles } from './page-styles.ts';

/** What Angular gets in place of the page. It has no link, so that Angular has no critical CSS to inline. */
const MARKER = '<!--ng-ssr-->';

/** With more routes that need Angular's own DOM the application as a whole is one for it. */
const MAX_SLOW_ROUTES = 50;

/** Renders of one engine with the DOM of `@ng-ssr/dom`, as long as their pages are those of Angular's own. */
export class FastPath {
  #isOff = false;
  /** Routes whose pages need Angular's own DOM. */
  readonly #slowRoutes = new Set<string>();

  /** @returns undefined for a page that Angular renders alone. */
  begin(request: Request, styles: PageStyles, routeOf: () => string): FastRender | undefined {
    if (this.#isOff || request.body !== null) return undefined;
    if (this.#slowRoutes.size > 0 && this.#slowRoutes.has(routeOf())) return undefined;
    return new FastRender(this, styles, routeOf);
  }

  /** Leaves all pages to Angular: it has changed. */
  turnOff(symbol: Internal): void {
    this.#isOff = true;
    reportMissing(symbol);
  }

  /** Leaves the pages of a route to Angular. */
  leave(route: string, member: string): void {
    if (this.#slowRoutes.has(route)) return;
    this.#slowRoutes.add(route);
    this.#isOff ||= this.#slowRoutes.size > MAX_SLOW_ROUTES;
    const pages = this.#isOff ? 'all pages' : `pages of ${route}`;
    console.error(
      `ng-ssr: ${pages} are rendered with Angular's own DOM, which takes longer: @ng-ssr/dom has no ${member}`,
    );
  }
}

/** One render. */
export class FastRender {
  readonly #path: FastPath;
  readonly #styles: PageStyles;
  readonly #routeOf: () => string;
  #document: SsrDocument | undefined;
  #draft: Draft | undefined;

  constructor(path: FastPath, styles: PageStyles, routeOf: () => string) {
    this.#path = path;
    this.#styles = styles;
    this.#routeOf = routeOf;
  }

  /** Whether the page is rendered into a document of ours. */
  get hasDocument(): boolean {
    return this.#document !== undefined;
  }

  /** Gives Angular the document; call it before the application starts, in the same turn as the platform's creation. */
  enter(platform: PlatformRef): void {
    const found = findInitialConfig(platform.injector);
    const documentClass = currentDocumentClass();
    if (found === undefined) return this.#path.turnOff('INITIAL_CONFIG.document');
    const dom = documentClass && domOf(documentClass);
    if (dom === undefined) return this.#path.turnOff('Document#serialize');
    const { config, html } = found;
    const document = dom.createDocument(html, new URL(config.url, 'http://localhost').href);
    const serialize = document.serialize.bind(document);
    const endWatch = watchRender(dom);
    document.serialize = () => {
      endWatch?.();
      this.#draft = this.#styles.draft(document, serialize);
      return MARKER;
    };
    config.document = document;
    this.#document = document;
    platform.onDestroy(() => dom.release(document));
  }

  /**
   * Whether the page must be rendered again by Angular alone, because it has used what the document lacks. Its
   * route is then remembered.
   */
  isUnfit(): boolean {
    const lacking = this.#document?.lacking;
    if (lacking === undefined) return false;
    this.#path.leave(this.#routeOf(), lacking);
    return true;
  }

  /**
   * The page, complete.
   *
   * @param text - What Angular answers.
   * @returns undefined for a page that must be rendered again.
   */
  async finish(text: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.isUnfit()) return undefined;
    const draft = this.#draft;
    if (text !== MARKER || draft === undefined) {
      this.#path.turnOff('Document#serialize');
      return undefined;
    }
    // The request refers to this render, and may stay for long.
    this.#document = undefined;
    this.#draft = undefined;
    return typeof draft === 'function' ? draft() : draft;
  }
}
