import { cloneChildren } from './clone.ts';
import { copyAngularChildren } from './copy.ts';
import type { AngularNode } from './copy.ts';
import { addHandlers, hasHandlers } from './parse/handlers.ts';
import { findRoots } from './removal.ts';
import type { TreeDocument, TreeDom } from './shapes.ts';

/** Documents kept: one per built page and locale. */
const MOST_TEMPLATES = 20;

interface AngularDocument extends AngularNode {
  readonly readyState: string;
  readonly compatMode: string;
  readonly _quirks?: boolean;
  readonly _limitedQuirks?: boolean;
}

interface Parser {
  parse(html: string, end: boolean): void;
  document(): AngularDocument;
}

interface DocumentTemplate {
  readonly document: TreeDocument;
  readonly hasHandlers: boolean;
}

/** The documents that pages begin with: each text is parsed once, by Angular's parser. */
export class DocumentTemplates {
  readonly #dom: TreeDom;
  readonly #kept = new Map<string, DocumentTemplate>();

  constructor(dom: TreeDom) {
    this.#dom = dom;
  }

  #parse(html: string): DocumentTemplate {
    const { classes } = this.#dom;
    let parsed: AngularDocument;
    if (html === '') {
      const Implementation = classes['DOMImplementation'] as new (context: null) => {
        createHTMLDocument(title: string): AngularDocument;
      };
      parsed = new Implementation(null).createHTMLDocument('');
    } else {
      const parser = new (classes['HTMLParser'] as new () => Parser)();
      parser.parse(html, true);
      parsed = parser.document();
    }
    const template = this.#dom.createBlankDocument(true, null);
    copyAngularChildren(template, parsed);
    template.readyState = parsed.readyState;
    template._quirks = parsed._quirks;
    template._limitedQuirks = parsed._limitedQuirks;
    return { document: template, hasHandlers: hasHandlers(template) };
  }

  /** A fresh copy of the document that `html` is. */
  copy(html: string, url: string): TreeDocument {
    let template = this.#kept.get(html);
    if (template === undefined) {
      template = this.#parse(html);
      const oldest = this.#kept.keys().next();
      if (this.#kept.size >= MOST_TEMPLATES && !oldest.done) this.#kept.delete(oldest.value);
    } else this.#kept.delete(html);
    this.#kept.set(html, template);
    const document = this.#dom.createBlankDocument(true, url);
    const source = template.document;
    document.readyState = source.readyState;
    document._quirks = source._quirks;
    document._limitedQuirks = source._limitedQuirks;
    if (source.firstChild !== null) cloneChildren(source.firstChild, document, document);
    if (template.hasHandlers) addHandlers(document.firstChild);
    findRoots(document);
    document._version = 1;
    return document;
  }
}
