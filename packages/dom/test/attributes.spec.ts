import { expect, it } from 'vitest';
import { classes, ourDocument, PAGE, same, type AnyNode } from './both-doms.ts';

const XLINK = 'http://www.w3.org/1999/xlink';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

const all = (element: AnyNode): unknown => [
  element,
  element.getAttributeNames(),
  element.attributes.length,
];

const OPERATIONS: Record<string, (element: AnyNode, document: AnyNode) => unknown> = {
  'sets, reads and removes': (element) => {
    element.setAttribute('Title', 'new');
    element.setAttribute('data-x', 5);
    element.setAttribute('empty', undefined);
    const seen = [
      element.getAttribute('TITLE'),
      element.getAttribute('none'),
      element.hasAttribute('DATA-X'),
      all(element),
    ];
    element.removeAttribute('title');
    element.removeAttribute('none');
    return [seen, all(element), element.hasAttributes()];
  },
  'replaces a class by itself': (element) => {
    element.className = 'one two three';
    return [element.classList.replace('two', 'two'), element.className, element.outerHTML];
  },
  'has attributes with the names of values': (element) => {
    element.setAttribute('rel', 'href');
    element.setAttribute('href', 'rel');
    element.setAttribute('rev', 'y');
    const [href, rev] = ['href', 'rev'].map((name) => element.getAttributeNode(name));
    const seen = [href.value, rev.value, element.isEqualNode(element)];
    href.value = 'rev';
    seen.push(rev.value, all(element));
    element.removeAttributeNode(rev);
    return [seen, all(element), element.outerHTML];
  },
  toggles: (element) => [
    element.toggleAttribute('hidden'),
    element.toggleAttribute('hidden', true),
    element.toggleAttribute('hidden'),
    element.toggleAttribute('title', false),
    element.toggleAttribute('x', false),
    all(element),
  ],
  'takes names in namespaces': (element) => {
    element.setAttributeNS(XLINK, 'xlink:href', 'a');
    element.setAttributeNS(XLINK, 'href', 'b');
    element.setAttributeNS(XMLNS, 'xmlns:x', 'urn:x');
    element.setAttributeNS(XMLNS, 'xmlns', 'urn:y');
    element.setAttributeNS('urn:x', 'x:title', 'c');
    element.setAttributeNS('urn:z', 'x:title', 'd');
    element.setAttributeNS(null, 'title', 'e');
    element.setAttributeNS('', 'lang', 'f');
    const seen = [
      element.getAttribute('xlink:href'),
      element.getAttributeNS(XLINK, 'href'),
      element.getAttribute('x:title'),
      element.getAttributeNS('urn:z', 'title'),
      element.hasAttributeNS('urn:x', 'title'),
      element.hasAttributeNS(null, 'lang'),
      all(element),
    ];
    element.removeAttributeNS(XLINK, 'href');
    element.removeAttribute('x:title');
    element.removeAttributeNS('urn:none', 'title');
    return [
      seen,
      all(element),
      element.cloneNode(true),
      element.isEqualNode(element.cloneNode(true)),
    ];
  },
  'reflects id and class': (element, document) => {
    element.id = 'new';
    element.className = 'x  y';
    return [
      element.id,
      element.className,
      document.getElementById('new') === element,
      element.classList.length,
      all(element),
    ];
  },
  'has attribute nodes': (element, document) => {
    const { attributes } = element;
    const title = element.getAttributeNode('title');
    const seen = [
      attributes.length,
      attributes[0].name,
      attributes.title === title,
      attributes.item(9),
      attributes.getNamedItem('title') === title,
      [...attributes].map((attr: AnyNode) => `${attr.name}=${attr.value}`),
      title.ownerElement === element,
      title.specified,
      title.nodeType,
      title.prefix,
      title.localName,
      title.namespaceURI,
    ];
    title.value = 'by node';
    seen.push(element.getAttribute('title'), all(element));
    element.setAttribute('lang', 'en');
    seen.push(attributes.lang.value, attributes[attributes.length - 1].name);
    attributes.removeNamedItem('title');
    seen.push(title.value, title.ownerElement, attributes.title, all(element));
    const made = document.createAttribute('Made');
    made.value = 'm';
    element.setAttributeNode(made);
    seen.push(
      made.ownerElement === element,
      element.getAttribute('made'),
      element.getAttributeNode('made') === made,
    );
    element.setAttribute('made', 'n');
    seen.push(made.value, element.removeAttributeNode(made) === made, made.value);
    return [
      seen,
      all(element),
      attributes === element.attributes,
      attributes instanceof (classes['NamedNodeMap'] as never),
    ];
  },
  'replaces attribute nodes': (element, document) => {
    const one = document.createAttributeNS(XLINK, 'xlink:href');
    one.value = '1';
    const two = document.createAttributeNS(XLINK, 'xlink:href');
    two.value = '2';
    element.setAttributeNodeNS(one);
    return [
      element.setAttributeNodeNS(two) === one,
      one.ownerElement,
      element.getAttributeNS(XLINK, 'href'),
      element.setAttributeNode(two) === two,
      all(element),
    ];
  },
  'does not share attribute nodes': (element, document) =>
    document.body.setAttributeNode(element.getAttributeNode('title')),
  'finds no node to remove': (element) => element.attributes.removeNamedItem('none'),
  'escapes values': (element) => {
    element.setAttribute('title', '<a href="x">&amp;\u00a0\u2028\'`');
    element.setAttribute('value', '"');
    return [element.outerHTML, element.cloneNode().outerHTML];
  },
};

for (const [name, run] of Object.entries(OPERATIONS)) {
  it(name, () => {
    same((document) => run(document.querySelector('p'), document));
    same((document) => run(document.querySelector('svg'), document));
    same((document) => run(document.createElement('p'), document));
    same((document) => run(document.querySelector('template').content.firstChild, document));
  });
}

const NAMES = [
  ...['a', 'A', 'data-x', 'x:y', ':x', '1', '', 'a b', 'a=b', '"', '[x]', '(x)', '*ngIf', '@x'],
  ...['xmlns', 'xml:lang', 'xmlns:x', '\u00e9', '\ud83d\ude00', null, undefined, 'constructor'],
];

it.each(NAMES)('takes or refuses the name %s', (name) => {
  for (const run of [
    (element: AnyNode) => element.setAttribute(name, 'v'),
    (element: AnyNode) => element.toggleAttribute(name),
    (element: AnyNode) => [
      element.getAttribute(name),
      element.hasAttribute(name),
      element.removeAttribute(name),
    ],
    (element: AnyNode) => element.setAttributeNS(null, name, 'v'),
    (element: AnyNode) => element.setAttributeNS(XLINK, name, 'v'),
    (element: AnyNode) => element.setAttributeNS(XMLNS, name, 'v'),
    (element: AnyNode) => element.setAttributeNS('http://www.w3.org/XML/1998/namespace', name, 'v'),
    (element: AnyNode) => element.ownerDocument.createAttribute(name),
    (element: AnyNode) => element.ownerDocument.createAttributeNS('urn:x', name).localName,
  ]) {
    same((document) => [run(document.querySelector('p')), all(document.querySelector('p'))]);
    same((document) => [run(document.querySelector('path')), all(document.querySelector('path'))]);
  }
});

const LISTS: Record<string, (list: AnyNode, element: AnyNode) => unknown> = {
  adds: (list) => list.add('b', 'c', 'c'),
  'adds nothing': (list) => list.add(),
  removes: (list) => list.remove('a', 'none'),
  'removes all': (list) => list.remove('a', 'b'),
  toggles: (list) => [
    list.toggle('a'),
    list.toggle('n'),
    list.toggle('n', true),
    list.toggle('b', false),
    list.toggle('o', false),
    list.toggle('p', true),
  ],
  replaces: (list) => [list.replace('a', 'z'), list.replace('none', 'y'), list.replace('z', 'b')],
  'replaces by one that comes first': (list) => list.replace('b', 'a'),
  contains: (list) => [
    list.contains('a'),
    list.contains(''),
    list.contains('a b'),
    list.item(0),
    list.item(7),
    list.item(-1),
  ],
  'sets its value': (list, element) => {
    list.value = ' x  x y ';
    return [list.value, String(list), element.className];
  },
  'follows the attribute': (list, element) => {
    element.setAttribute('class', ' q  r q');
    const seen = [list.length, list[0], list[1], list.value];
    element.className = 's';
    seen.push(list[0], list.length);
    element.removeAttribute('class');
    seen.push(list.length, list[0], list.value);
    list.add('t');
    seen.push(element.getAttribute('class'));
    element.setAttribute('class', 'u');
    return [...seen, list[0], element.classList === list];
  },
  'refuses an empty token': (list) => list.add('x', ''),
  'refuses white space': (list) => list.remove('x y'),
  'refuses an empty replacement': (list) => list.replace('x y', ''),
  'refuses to toggle white space': (list) => list.toggle('a\t'),
  'is no iterable': (list) => [...list],
  'is assigned': (list, element) => {
    element.classList = 'm n';
    return [list.length, element.className];
  },
};

for (const [name, run] of Object.entries(LISTS)) {
  it(`classList ${name}`, () => {
    for (const value of ['a b', undefined, '', '  a\n a  b ', 'a', 'b a']) {
      for (const tag of ['p', 'svg']) {
        same((document) => {
          const element = document.querySelector(tag);
          if (value === undefined) element.removeAttribute('class');
          else element.setAttribute('class', value);
          const list = element.classList;
          const result = run(list, element);
          return [
            result,
            element.className,
            list.length,
            list[0],
            list[1],
            list[2],
            element.cloneNode().outerHTML,
            element.getAttributeNames(),
          ];
        });
      }
    }
  });
}

it('keeps class and its list in order with other attributes', () => {
  same((document) => {
    const element = document.createElement('i');
    element.classList.add('x');
    element.setAttribute('id', 'i');
    element.classList.remove('x');
    element.setAttribute('class', 'y');
    element.classList.toggle('z');
    element.removeAttribute('class');
    element.classList.add('w');
    return element;
  });
});

it('gives handlers for on* attributes', () => {
  same((document) => {
    const { body } = document;
    body.setAttribute('onclick', 'x()');
    const seen = [typeof body.onclick];
    body.removeAttribute('onclick');
    return [...seen, typeof body.onclick, typeof document.createElement('p').onclick];
  });
});

it('is a DOMTokenList', () => {
  expect(ourDocument(PAGE).body.classList instanceof (classes['DOMTokenList'] as never)).toBe(true);
});
