import { cloneChildren } from './clone.ts';
import { copyForeignChildren } from './copy.ts';
import type { ForeignNode } from './copy.ts';
import { addHandlers, hasHandlers } from './parse/handlers.ts';
import { findRoots } from './removal.ts';
import type { TreeDocument, TreeDom } from './shapes.ts';

/** Documents kept: one per built page and locale. */
const MOST_MASTERS = 20;

interface ForeignDocument extends ForeignNode {
  readonly readyState: string;
  readonly compatMode: string;
  readonly _quirks?: boolean;
  readonly _limitedQuirks?: boolean;
}

interface Parser {
  parse(html: string, end: boolean): void;
  document(): ForeignDocument;
}

interface Master {
  readonly document: TreeDocument;
  readonly hasHandlers: boolean;
}

/** The documents that pages begin with: each text is parsed once, by Angular's parser. */
export class Masters {
  readonly #dom: TreeDom;
  readonly #kept = new Map<string, Master>();

  constructor(dom: TreeDom) {
    this.#dom = dom;
  }

  #parse(html: string): Master {
    const { classes } = this.#dom;
    let parsed: ForeignDocument;
    if (html === '') {
      const Implementation = classes['DOMImplementation'] as new (context: null) => {
        createHTMLDocument(title: string): ForeignDocument;
      };
      parsed = new Implementation(null).createHTMLDocument('');
    } else {
      const parser = new (classes['HTMLParser'] as new () => Parser)();
      parser.parse(html, true);
      parsed = parser.document();
    }
    const master = this.#dom.createBlankDocument(true, null);
    copyForeignChildren(master, parsed);
    master.readyState = parsed.readyState;
    master._quirks = parsed._quirks;
    master._limitedQuirks = parsed._limitedQuirks;
    return { document: master, hasHandlers: hasHandlers(master) };
  }

  /** A fresh copy of the document that `html` is. */
  copy(html: string, url: string): TreeDocument {
    let master = this.#kept.get(html);
    if (master === undefined) {
      master = this.#parse(html);
      const oldest = this.#kept.keys().next();
      if (this.#kept.size >= MOST_MASTERS && !oldest.done) this.#kept.delete(oldest.value);
    } else this.#kept.delete(html);
    this.#kept.set(html, master);
    const document = this.#dom.createBlankDocument(true, url);
    const source = master.document;
    document.readyState = source.readyState;
    document._quirks = source._quirks;
    document._limitedQuirks = source._limitedQuirks;
    if (source.firstChild !== null) cloneChildren(source.firstChild, document, document);
    if (master.hasHandlers) addHandlers(document.firstChild);
    findRoots(document);
    document._version = 1;
    return document;
  }
}
