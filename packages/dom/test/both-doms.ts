import '@angular/platform-server/init';
import { expect } from 'vitest';
import { createDom } from '@ng-ssr/dom';

/** Angular's classes, which it put on `globalThis`. */
export const classes = globalThis as unknown as Record<string, new (...values: never[]) => AnyNode>;

/** Specs run the same code against both DOMs, so their nodes have no type that either would check. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyNode = any;

export const URL_OF_PAGE = 'http://localhost:4200/shop/list?page=2#top';

const dom = createDom(classes);

/** A document of ours. */
export function ourDocument(html: string, url: string = URL_OF_PAGE): AnyNode {
  return dom.createDocument(html, url);
}

/** A document of Angular's own DOM, made as Angular makes it for a render. */
export function angularDocument(html: string, url: string = URL_OF_PAGE): AnyNode {
  const { HTMLParser, DOMImplementation, Window } = classes as AnyNode;
  let document: AnyNode;
  if (html === '') document = new DOMImplementation(null).createHTMLDocument('');
  else {
    const parser = new HTMLParser();
    parser.parse(html, true);
    document = parser.document();
  }
  document._address = url;
  new Window(document);
  return document;
}

export const PAGE =
  '<!DOCTYPE html><html lang="en"><head><title>Shop</title><base href="/"></head><body class="page wide">' +
  '<main id="main"><p class="a b" title="x">one<!--note--></p><svg viewBox="0 0 1 1"><path d="M0"></path></svg>' +
  '<template id="t"><b>in</b></template></main><div id="end"></div></body></html>';

/** What came of it, in a form that can be compared: nodes as HTML, errors by name. */
function describe(run: () => unknown): unknown {
  try {
    return plain(run(), 0);
  } catch (error) {
    const { name, code } = error as DOMException;
    return { thrown: name, code };
  }
}

function plain(value: AnyNode, depth: number): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
  if (typeof value === 'function') return 'function';
  if (typeof value.nodeType === 'number') {
    if (value.nodeType === 2) return { attribute: value.name, value: value.value };
    return {
      node: value.nodeName,
      html: value.nodeType === 9 ? value.serialize() : value.outerHTML,
    };
  }
  if (depth > 3) return '...';
  if (typeof value.length === 'number') {
    return Array.from({ length: value.length }, (_, i) => plain(value[i], depth + 1));
  }
  if (value instanceof Map || value instanceof Set)
    return [...value].map((each) => plain(each, depth + 1));
  return Object.fromEntries(Object.keys(value).map((key) => [key, plain(value[key], depth + 1)]));
}

/**
 * Runs one piece of code against a document of Angular's and one of ours: what it returns or throws, and the page
 * after it, must be the same.
 */
export function same(run: (document: AnyNode) => unknown, html: string = PAGE): void {
  const angular = angularDocument(html);
  const ours = ourDocument(html);
  const expected = describe(() => run(angular));
  expect(describe(() => run(ours))).toEqual(expected);
  expect(ours.serialize()).toBe(angular.serialize());
  expect(ours.unsupported).toBeUndefined();
}
