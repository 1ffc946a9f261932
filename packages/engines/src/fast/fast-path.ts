import type { ApplicationRef, PlatformRef } from '@angular/core';
import { type CurrentRender, currentRender, SsrError } from '@ng-ssr/core';
import type { Dom, SsrDocument } from '@ng-ssr/dom';
import { changed, type Internal, reportMissing } from '../angular-internals.ts';
import { currentDocumentClass, findInitialConfig, MARKER } from './angular-hooks.ts';
import { domOf } from './angular-dom.ts';
import { LastSerialization } from './last-serialization.ts';
import type { Draft, PageStyles } from './page-styles.ts';
import { keepRendersYoung } from './young-generation.ts';

/** With more routes that need Angular's own DOM the application as a whole is one for it. */
const MAX_SLOW_ROUTES = 50;

/** Renders of one engine with the DOM of `@ng-ssr/dom`, as long as their pages are those of Angular's own. */
export class FastPath {
  #isOff = false;
  /** Whether a page is complete: each page then asks for replaced members when it is. */
  hasPages = false;
  /** Routes whose pages need Angular's own DOM. */
  readonly #slowRoutes = new Set<string>();

  /** @returns undefined for a page that Angular renders alone. */
  begin(request: Request, styles: PageStyles, routeOf: () => string): FastRender | undefined {
    if (this.#isOff || request.body !== null) return undefined;
    if (this.#slowRoutes.size > 0 && this.#slowRoutes.has(routeOf())) return undefined;
    return new FastRender(this, styles, routeOf, currentRender());
  }

  /** Leaves all pages to Angular: it has changed. */
  turnOff(symbol: Internal, render: CurrentRender | undefined): void {
    if (this.#isOff) return;
    this.#isOff = true;
    if (render === undefined) reportMissing(symbol);
    else render.notice(changed(symbol));
  }

  /** Leaves all pages to Angular, because of its classes, which all pages share. */
  leaveAll(reason: string, render: CurrentRender | undefined): void {
    if (this.#isOff) return;
    this.#isOff = true;
    report('all pages', reason, render);
  }

  /** Leaves the pages of a route to Angular. */
  leave(route: string, reason: string, render: CurrentRender | undefined): void {
    if (this.#isOff || this.#slowRoutes.has(route)) return;
    this.#slowRoutes.add(route);
    this.#isOff = this.#slowRoutes.size > MAX_SLOW_ROUTES;
    report(this.#isOff ? 'all pages' : `pages of ${route}`, reason, render);
  }
}

function report(pages: string, reason: string, render: CurrentRender | undefined): void {
  const error = new SsrError(
    'NG_SSR_FAST_LEFT',
    `${pages} are rendered with Angular's own DOM, which takes longer: ${reason}`,
  );
  if (render === undefined) console.error(`ng-ssr: ${error.code}: ${error.message}`);
  else render.notice(error);
}

/** One render. */
export class FastRender {
  readonly #path: FastPath;
  readonly #styles: PageStyles;
  /** Names the page's route: a page that needs Angular's own DOM leaves it. */
  routeOf: () => string;
  /** Undefined without a server. */
  readonly #render: CurrentRender | undefined;
  readonly #last = new LastSerialization();
  #dom: Dom | undefined;
  #document: SsrDocument | undefined;
  #draft: Draft | undefined;

  constructor(
    path: FastPath,
    styles: PageStyles,
    routeOf: () => string,
    render: CurrentRender | undefined,
  ) {
    this.#path = path;
    this.#styles = styles;
    this.routeOf = routeOf;
    this.#render = render;
  }

  /** Whether the page is rendered into a document of ours. */
  get hasDocument(): boolean {
    return this.#document !== undefined;
  }

  /** Whether the page has used what its document lacks, and is rendered again. */
  get isLacking(): boolean {
    return this.#document?.unsupported !== undefined;
  }

  /**
   * Gives Angular the document; call it before the application starts, in the same turn as the platform's creation.
   *
   * @returns whether Angular has taken it.
   */
  enter(platform: PlatformRef): boolean {
    keepRendersYoung();
    this.#giveDocument(platform);
    return this.hasDocument;
  }

  #giveDocument(platform: PlatformRef): void {
    const found = findInitialConfig(platform.injector);
    const documentClass = currentDocumentClass();
    if (found === undefined) return this.#path.turnOff('INITIAL_CONFIG.document', this.#render);
    const dom = documentClass && domOf(documentClass);
    if (dom === undefined) return this.#path.turnOff('Document#serialize', this.#render);
    const { config, html } = found;
    const { href } = new URL(config.url, 'http://localhost');
    const document = dom.createDocument(html, href);
    // An application that replaces members as it is loaded has done so now.
    const replaced = this.#path.hasPages ? undefined : dom.replacedMember();
    if (replaced !== undefined) return this.#path.leaveAll(ofReplaced(replaced), this.#render);
    const serialize = document.serialize.bind(document);
    document.serialize = () => {
      if (!this.#last.isNext || this.#draft !== undefined) return serialize();
      this.#draft = this.#styles.draft(document, serialize, href);
      return MARKER;
    };
    config.document = document;
    this.#dom = dom;
    this.#document = document;
    platform.onDestroy(() => dom.release(document));
  }

  /** Follows the application when it has started. */
  follow(app: ApplicationRef): void {
    if (this.#document !== undefined) this.#last.follow(app);
  }

  /**
   * Whether the page must be rendered again by Angular alone, because it has used what the document lacks, or replaced
   * what the document has of its own. That is then remembered.
   *
   * @throws SsrError `NG_SSR_RENDER_NOT_REPEATED` if the render may have changed something elsewhere.
   */
  isUnfit(): boolean {
    const unsupported = this.#document?.unsupported;
    if (unsupported !== undefined) {
      const reason = `@ng-ssr/dom has no ${unsupported}`;
      this.#path.leave(this.routeOf(), reason, this.#render);
      this.#assertRepeatable(reason);
      return true;
    }
    const replaced = this.#dom?.replacedMember();
    if (replaced === undefined) return false;
    this.#path.leaveAll(ofReplaced(replaced), this.#render);
    this.#assertRepeatable(ofReplaced(replaced));
    return true;
  }

  #assertRepeatable(reason: string): void {
    const call = this.#render?.unsafeCall();
    if (call === undefined) return;
    throw new SsrError(
      'NG_SSR_RENDER_NOT_REPEATED',
      `pages of ${this.routeOf()} need Angular's own DOM (${reason}), and this render may have sent ` +
        `${call}: it is not repeated`,
    );
  }

  /**
   * The page, complete.
   *
   * @param text - What Angular answers.
   * @returns undefined for a page that must be rendered again.
   * @throws SsrError `NG_SSR_RENDER_NOT_REPEATED`
   */
  async finish(text: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.isUnfit()) return undefined;
    const draft = this.#draft;
    if (text !== MARKER || draft === undefined) {
      this.#path.turnOff('Document#serialize', this.#render);
      this.#assertRepeatable(changed('Document#serialize').message);
      return undefined;
    }
    this.#path.hasPages = true;
    // The request refers to this render, and may stay for long.
    this.#document = undefined;
    this.#draft = undefined;
    return typeof draft === 'function' ? draft() : draft;
  }
}

function ofReplaced(member: string): string {
  return `${member} was replaced`;
}
