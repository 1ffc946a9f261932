import { createDom, type DomClasses } from '@ng-ssr/dom';
import { describe, expect, test } from 'vitest';
import { angularDom } from './fuzz/angular-dom.ts';
import { Comparison } from './fuzz/comparison.ts';
import { DOCUMENTS, FRAGMENTS } from './parse-cases.ts';

const URL = 'http://localhost/a';
const NAMESPACES: Readonly<Record<string, string>> = {
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
};

const dom = createDom(angularDom.impl as DomClasses);
const newAngular = (html: string): Document => angularDom.createWindow(html, URL).document;
const newOurs = (html: string): Document => dom.createDocument(html, URL) as unknown as Document;

/** How the same steps in both DOMs end differently. */
function difference(make: (newDocument: (html: string) => Document) => Node): string | undefined {
  const expected = make(newAngular);
  const actual = make(newOurs);
  return textOf(expected) === textOf(actual)
    ? new Comparison().ofTrees(expected, actual)
    : `${textOf(expected)}\n${textOf(actual)}`;
}

function textOf(node: Node): string {
  return (node as Element).innerHTML;
}

function newContext(document: Document, context: string): Element {
  const [prefix, name] = context.split(' ') as [string, string?];
  return name === undefined
    ? document.createElement(context)
    : document.createElementNS(NAMESPACES[prefix]!, name);
}

describe('documents', () => {
  for (const [group, texts] of Object.entries(DOCUMENTS)) {
    test(`${group} are as Angular parses them`, () => {
      for (const text of texts) {
        expect(
          difference((newDocument) => newDocument(text)),
          text,
        ).toBeUndefined();
        expect(newOurs(text).compatMode, text).toBe(newAngular(text).compatMode);
      }
    });
  }

  test('an empty text is the empty document', () => {
    expect(difference((newDocument) => newDocument(''))).toBeUndefined();
  });
});

describe.each(Object.entries(FRAGMENTS))('the content of %s', (context, texts) => {
  const pages = [
    '<!DOCTYPE html><body>',
    '<body>',
    '<!DOCTYPE html><form><div id="in"></div></form>',
  ];

  test.each(pages)('is as Angular parses it in %s', (page) => {
    // Twice: the second one is made of what was kept.
    for (const text of [...texts, ...texts]) {
      for (const way of WAYS) {
        expect(
          difference((newDocument) => way(newDocument(page), context, text)),
          text,
        ).toBeUndefined();
      }
    }
  });
});

/** The ways from a text to nodes. */
const WAYS: readonly ((document: Document, context: string, text: string) => Node)[] = [
  (document, context, text) => {
    const element = newContext(document, context);
    (document.getElementById('in') ?? document.body)?.appendChild(element);
    // Elements of SVG and MathML have no innerHTML to set.
    if (!context.includes(' ')) element.innerHTML = text;
    return document;
  },
  (document, context, text) => {
    const element = newContext(document, context);
    element.insertAdjacentHTML('beforeend', text);
    element.insertAdjacentHTML('afterbegin', text);
    return element;
  },
  (document, context, text) => {
    const parent = newContext(document, context);
    const child = parent.appendChild(document.createElement('i'));
    child.insertAdjacentHTML('beforebegin', text);
    child.insertAdjacentHTML('afterend', text);
    child.outerHTML = text;
    return parent;
  },
  (document, context, text) => {
    // Without a window there are no scripts, and noscript has elements.
    const inert = document.implementation.createHTMLDocument('inert');
    const element = inert.body.appendChild(newContext(inert, context));
    if (!context.includes(' ')) element.innerHTML = text;
    return inert;
  },
];

test('more elements in one another than the stack has room for are left to Angular', () => {
  const document = newOurs('<p>');
  const text = '<b>'.repeat(20_000);
  expect(() => (document.body.innerHTML = text)).toThrow('room for this depth');
  expect(document).toHaveProperty('unsupported', 'room for this depth');
});
