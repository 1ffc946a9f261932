import { expect, it } from 'vitest';
import { ourDocument, PAGE, same, type AnyNode } from './both-doms.ts';

const XLINK = 'http://www.w3.org/1999/xlink';

/** Where Angular's DOM goes wrong in a way of its own: such a page is rendered with it. */
const CASES: Record<string, (document: AnyNode) => unknown> = {
  'two attributes of one name': ({ body }) => {
    body.setAttribute('dir', 'ltr');
    body.setAttributeNS(XLINK, 'dir', 'rtl');
  },
  'two attributes of one name, the one without a namespace second': ({ body }) => {
    body.setAttributeNS(XLINK, 'dir', 'rtl');
    body.setAttributeNS(null, 'dir', 'ltr');
  },
  'a class in a namespace': ({ body }) => body.setAttributeNS(XLINK, 'class', 'a'),
  'an attribute node with the id of an element of the page': (document) => {
    const attr = document.createAttribute('id');
    attr.value = 'new';
    document.body.setAttributeNode(attr);
  },
  'a child that a text has replaced, inserted again': ({ documentElement, body }) => {
    documentElement.textContent = 'x';
    documentElement.appendChild(body);
  },
  'a child that a text has replaced, inserted into another document': (document) => {
    const { documentElement, body } = document;
    documentElement.textContent = 'x';
    const other = document.implementation.createHTMLDocument('other');
    other.createElement('p').appendChild(body);
  },
  'a child replaced by itself': ({ body, documentElement }) =>
    documentElement.replaceChild(body, body),
};

for (const [name, run] of Object.entries(CASES)) {
  it(`lacks ${name}`, () => {
    const document = ourDocument(PAGE);
    expect(() => run(document)).toThrow('@ng-ssr/dom does not have');
    expect(document.unsupported).toEqual(expect.any(String));
  });
}

/** Documents that an application makes beside its page. */
const MADE: Record<string, (document: AnyNode) => AnyNode> = {
  'the content of a template': (document) => {
    const template = document.createElement('template');
    template.innerHTML = '<svg></svg>';
    return template.content.firstChild;
  },
  'the content of a template in a template': (document) => {
    const template = document.createElement('template');
    template.innerHTML = '<template><svg></svg></template>';
    return template.content.firstChild.content.firstChild;
  },
  'createHTMLDocument()': ({ implementation }) => {
    const { body } = implementation.createHTMLDocument('other');
    body.innerHTML = '<svg></svg>';
    return body.firstChild;
  },
  'cloneNode() of the document': (document) => document.cloneNode(true).querySelector('svg'),
  'cloneNode() of another document': ({ implementation }) => {
    const other = implementation.createHTMLDocument('other');
    other.body.innerHTML = '<svg></svg>';
    return other.cloneNode(true).querySelector('svg');
  },
};

for (const [name, make] of Object.entries(MADE)) {
  it(`notes on the page what ${name} lacks`, () => {
    const document = ourDocument(PAGE);
    const svg = make(document);
    expect(() => svg.createSVGRect()).toThrow('@ng-ssr/dom does not have');
    expect(document.unsupported).toBe('SVGSVGElement.prototype.createSVGRect');
  });
}

it('finds nothing by an empty id, in a copy either', () => {
  same((document) => {
    const { body } = document;
    body.innerHTML = '<p id></p><p id=""></p>';
    body.appendChild(body.firstChild.cloneNode(true));
    return document.getElementById('');
  });
});

it('has the id of an attribute node where the element is not in the page', () => {
  same((document) => {
    const attr = document.createAttribute('id');
    attr.value = 'new';
    const element = document.createElement('p');
    element.setAttributeNode(attr);
    document.body.appendChild(element);
    return document.getElementById('new');
  });
});
