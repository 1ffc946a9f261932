import type { DomClasses } from './dom-classes.ts';
import { forgetRemoved } from './ids.ts';
import { DocumentTemplates } from './document-templates.ts';
import { Registry } from './registry.ts';
import type { TreeDocument } from './shapes.ts';

/** Creates documents for renders. */
export interface Dom {
  /**
   * A document for one render: a clone of the document that `html` was parsed into on the first call.
   *
   * @param html - The built document, such as `index.server.html`.
   * @param url - The absolute URL of the page, for `document.location`.
   */
  createDocument(html: string, url: string): SsrDocument;
  /**
   * The first member that an application has replaced on Angular's classes, such as
   * `HTMLElement.prototype.setAttribute`: nodes of ours would not have it. Undefined while there is none. Asked for
   * each page, it takes about 10 microseconds, and 30 if pages use all elements of HTML.
   */
  replacedMember(): string | undefined;
  /** Drops what the document keeps of the elements that an application has removed as it was destroyed. */
  release(document: SsrDocument): void;
}

/** A document of one render. Angular takes it in place of the text of `index.server.html`. */
export interface SsrDocument {
  /** The page as HTML, as Angular's own document serializes it. */
  serialize(): string;
  /**
   * The first member used during the render that this DOM does not have, such as `Element.prototype.attachShadow`:
   * the page is then to be rendered with Angular's own DOM.
   */
  readonly unsupported: string | undefined;
}

/**
 * A DOM whose nodes are instances of Angular's classes too.
 *
 * @param classes - Angular's DOM classes.
 * @throws TypeError when a class that is needed is not among them.
 */
export function createDom(classes: DomClasses): Dom {
  const registry = new Registry(classes);
  const templates = new DocumentTemplates(registry);
  const Window = classes['Window'] as new (document: object) => object;
  return {
    createDocument(html: string, url: string): SsrDocument {
      const document = templates.copy(html, url);
      // Gives the document its view and its location.
      new Window(document);
      return document as unknown as SsrDocument;
    },
    replacedMember: () => registry.replaced.find(),
    release(document) {
      forgetRemoved(document as unknown as TreeDocument);
    },
  };
}
