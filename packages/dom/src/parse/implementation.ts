import { appendRaw } from '../link.ts';
import { HTML } from '../node-types.ts';

import { findRoots } from '../removal.ts';
import type { TreeDoctype, TreeDocument, TreeDom, TreeElement, TreeFragment } from '../shapes.ts';

interface AngularImplementation {
  createDocumentType(...values: unknown[]): TreeDoctype & { readonly name: string };
  mozHTMLParser(address: unknown, context: unknown, ...rest: unknown[]): object;
}

/** A parser as `insertAdjacentHTML` and `outerHTML`, inherited from Angular's elements, use it. */
interface ContentParser {
  parse(text: string, isEnd: boolean): void;
  _asDocumentFragment(): TreeFragment;
}

/** `document.implementation`: documents made by it are of this DOM, so that the sanitizer's texts are kept parsed. */
export class ImplementationMembers {
  declare contextObject: TreeDocument;

  createHTMLDocument(title?: unknown): TreeDocument {
    const { dom, page } = this.contextObject;
    const document = dom.createBlankDocument(true, null, page);
    const append = (parent: TreeElement, name: string): TreeElement => {
      const element = dom.createElement(document, name, HTML, null);
      appendRaw(parent, element);
      return element;
    };
    appendRaw(document, dom.createDoctype(document, 'html'));
    const html = append(document as unknown as TreeElement, 'html');
    const head = append(html, 'head');
    if (title !== undefined) {
      appendRaw(append(head, 'title'), dom.createText(document, String(title)));
    }
    append(html, 'body');
    findRoots(document);
    document._version = 1;
    return document;
  }

  /** @throws InvalidCharacterError for what is no qualified name. */
  createDocumentType(...values: unknown[]): TreeDoctype {
    const document = this.contextObject;
    const { name, publicId, systemId } = angular(document.dom).createDocumentType(...values);
    return document.dom.createDoctype(document, name, publicId, systemId);
  }

  mozHTMLParser(address: unknown, context: unknown, ...rest: unknown[]): object {
    const { dom } = this.contextObject;
    if (typeof context === 'object' && context !== null) {
      return contentParser(dom, context as TreeElement);
    }
    return angular(dom).mozHTMLParser(address, context, ...rest);
  }
}

/** Angular's own, which belongs to no document. */
function angular(dom: TreeDom): AngularImplementation {
  const Implementation = dom.classes['DOMImplementation'] as new (
    document: null,
  ) => AngularImplementation;
  return new Implementation(null);
}

function contentParser(dom: TreeDom, context: TreeElement): ContentParser {
  const fragment = dom.createFragment(context.ownerDocument);
  return {
    parse: (text) => dom.fragments.append(fragment, text, context),
    _asDocumentFragment: () => fragment,
  };
}
