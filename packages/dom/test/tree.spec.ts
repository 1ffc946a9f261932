import { expect, it } from 'vitest';
import { classes, ourDocument, PAGE, same, type AnyNode } from './both-doms.ts';

const PARENTS: Record<string, (document: AnyNode) => AnyNode> = {
  element: (document) => document.createElement('section'),
  'an element with children': (document) => document.getElementById('main'),
  fragment: (document) => document.createDocumentFragment(),
  document: (document) => document,
  'a text': (document) => document.createTextNode('t'),
};

const NODES: Record<string, (document: AnyNode) => AnyNode> = {
  'a new element': (document) => document.createElement('b'),
  'a text': (document) => document.createTextNode('text'),
  'a comment': (document) => document.createComment('c'),
  'an element from elsewhere': (document) => document.getElementById('end'),
  'an ancestor': (document) => document.body,
  'the document': (document) => document,
  'the root element': (document) => document.documentElement,
  'a doctype': (document) => document.doctype,
  'a full fragment': (document) => {
    const fragment = document.createDocumentFragment();
    fragment.appendChild(document.createElement('i'));
    fragment.appendChild(document.createTextNode('in'));
    return fragment;
  },
  'an empty fragment': (document) => document.createDocumentFragment(),
  nothing: () => null,
  'no node': () => ({}),
  'an attribute': (document) => document.createAttribute('title'),
};

const CHILDREN: Record<string, (parent: AnyNode, document: AnyNode, node: AnyNode) => AnyNode> = {
  none: () => null,
  'the first': (parent) => parent.firstChild,
  'the last': (parent) => parent.lastChild,
  'a stranger': (_, document) => document.head,
  itself: (_parent, _document, node) => node,
  'left out': () => undefined,
};

/** Pairs that Angular's DOM spoils: the child loses its parent, or all of its siblings. */
const SPOILT = new Set(['an empty fragment', 'an element from elsewhere']);

for (const [parentName, parent] of Object.entries(PARENTS)) {
  for (const [nodeName, node] of Object.entries(NODES)) {
    it(`appends ${nodeName} to ${parentName}`, () => {
      same((document) => {
        const into = parent(document);
        const given = node(document);
        return [
          into.appendChild(given) === given,
          into,
          document.documentElement,
          document.doctype,
        ];
      });
    });
    for (const [childName, child] of Object.entries(CHILDREN)) {
      it(`inserts ${nodeName} into ${parentName} before ${childName}`, () => {
        same((document) => {
          const into = parent(document);
          const given = node(document);
          return [into.insertBefore(given, child(into, document, given)) === given, into];
        });
      });
      if (childName === 'itself' || (SPOILT.has(nodeName) && childName !== 'a stranger')) continue;
      it(`replaces ${childName} of ${parentName} by ${nodeName}`, () => {
        same((document) => {
          const into = parent(document);
          const given = node(document);
          const old = child(into, document, given);
          // A node that replaces itself loses its parent in Angular's DOM and stays where it is.
          if (old === given) return null;
          return [into.replaceChild(given, old) === old, into, old?.parentNode];
        });
      });
    }
  }
}

const OPERATIONS: Record<string, (document: AnyNode) => unknown> = {
  'removes a child, which has no siblings then': ({ body }) => {
    const child = body.firstChild;
    return [
      body.removeChild(child) === child,
      child.nextSibling,
      child.parentNode,
      body.firstChild,
    ];
  },
  'removes a node by itself, and twice': (document) => {
    const end = document.getElementById('end');
    end.remove();
    end.remove();
    return [document.getElementById('end'), end.isConnected];
  },
  'puts nodes and texts around a node': (document) => {
    const end = document.getElementById('end');
    end.before('a', document.createElement('i'));
    end.after(document.createElement('b'), 'z');
    end.replaceWith('instead', document.createElement('u'));
  },
  'keeps a live list of children': ({ body, ...rest }) => {
    void rest;
    const list = body.childNodes;
    const seen = [list.length, list === body.childNodes, list.item(9)];
    const node = body.ownerDocument.createElement('p');
    body.insertBefore(node, list[1]);
    seen.push(list[1] === node, list.length);
    body.appendChild(list[0]);
    body.replaceChild(body.ownerDocument.createTextNode('t'), node);
    return [...seen, [...list], list instanceof (classes['NodeList'] as never)];
  },
  'sets the text of an element': ({ body }) => {
    void body.childNodes;
    body.textContent = 'a<b';
    const text = [body.textContent, body.childNodes.length];
    body.textContent = null;
    return [text, body.firstChild, body.hasChildNodes()];
  },
  'reads the text of an element': ({ body }) => [
    body.textContent,
    body.innerText,
    body.firstChild.textContent,
  ],
  'has no text of its own as a document': (document) => {
    document.textContent = 'x';
    document.nodeValue = 'y';
    return [document.textContent, document.innerText, document.nodeValue, document.nodeName];
  },
  'sets inner text': ({ body }) => {
    body.innerText = '  one\n two ';
    return [body.innerText, body.textContent];
  },
  'sets what a text holds': (document) => {
    const text = document.createTextNode('x');
    const seen: unknown[] = [];
    for (const member of ['nodeValue', 'textContent', 'data', 'innerText']) {
      for (const value of [null, undefined, 5, 'y']) {
        text[member] = value;
        seen.push(text.data);
      }
    }
    text.appendData('tail');
    text.insertData(0, 'head');
    return [
      seen,
      text.length,
      text.substringData(1, 3),
      text.splitText(2).data,
      text.wholeText,
      text.nodeName,
    ];
  },
  'makes a comment of anything': (document) => [
    document.createComment('a').data,
    document.createTextNode(null).data,
  ],
  'copies deep and flat': (document) => {
    const main = document.getElementById('main');
    const flat = main.cloneNode();
    const deep = main.cloneNode(true);
    deep.firstChild.setAttribute('title', 'changed');
    return [
      flat,
      deep,
      deep.parentNode,
      deep.ownerDocument === document,
      main.isEqualNode(main.cloneNode(true)),
      main.isEqualNode(deep),
    ];
  },
  'copies every kind of node': (document) =>
    [
      document.createTextNode('t'),
      document.createComment('c'),
      document.createProcessingInstruction('p', 'i'),
      document.doctype,
      document.createDocumentFragment(),
    ].map((node) => {
      const copy = document.importNode(node.cloneNode(true), true);
      return [
        copy === node,
        copy.nodeName,
        copy.nodeValue,
        copy.ownerDocument === document,
        copy.isEqualNode(node),
      ];
    }),
  'has the title of a root element that left by itself': (document) => {
    document.documentElement.remove();
    return [document.documentElement, document.title, document.body];
  },
  'copies the content of a template': (document) => {
    const template = document.getElementById('t');
    const deep = template.cloneNode(true);
    deep.content.firstChild.textContent = 'other';
    return [
      deep.content,
      template.content,
      template.cloneNode(false).content,
      template.innerHTML,
      template.childNodes.length,
    ];
  },
  'keeps the content of a template apart': (document) => {
    const { content } = document.getElementById('t');
    return [
      content.ownerDocument === document,
      content.firstChild.isConnected,
      document.contains(content.firstChild),
      content.textContent,
    ];
  },
  'takes a node from another document': (document) => {
    const other = document.implementation.createHTMLDocument('other');
    const moved = other.createElement('mark');
    moved.setAttribute('id', 'moved');
    moved.appendChild(other.createTextNode('m'));
    document.body.appendChild(moved);
    return [
      moved.ownerDocument === document,
      document.getElementById('moved') === moved,
      document.importNode(document.body, true),
    ];
  },
  'compares positions': (document) => {
    const [main, end] = [document.getElementById('main'), document.getElementById('end')];
    const lone = document.createElement('i');
    const nodes = [
      document,
      document.head,
      main,
      end,
      main.firstChild,
      main.lastChild,
      lone,
      document.getElementById('t').content,
    ];
    return nodes.flatMap((a) =>
      nodes.map((b) => [a.compareDocumentPosition(b) & 31, a.contains(b), a.isSameNode(b)]),
    );
  },
  'contains no null': ({ body }) => body.contains(null),
  'walks elements': (document) => {
    const main = document.getElementById('main');
    return [
      main.children.length,
      main.firstElementChild,
      main.lastElementChild,
      main.childElementCount,
      main.firstChild.nextElementSibling,
      main.lastChild.previousElementSibling,
      main.parentElement,
      document.documentElement.parentElement,
    ];
  },
  'joins texts': (document) => {
    const { body } = document;
    for (const text of ['a', '', 'b']) body.appendChild(document.createTextNode(text));
    body.normalize();
    return [body.lastChild.data, body.childNodes.length];
  },
  'finds elements by id': (document) => {
    const twin = document.createElement('p');
    twin.id = 'end';
    const seen = [
      document.getElementById('end'),
      document.getElementById('none'),
      document.getElementById(''),
    ];
    document.body.insertBefore(twin, document.body.firstChild);
    seen.push(document.getElementById('end') === twin);
    twin.id = 'else';
    seen.push(document.getElementById('end') === twin, document.getElementById('else') === twin);
    twin.removeAttribute('id');
    seen.push(document.getElementById('else'));
    const copy = document.body.cloneNode(true);
    document.getElementById('main').remove();
    document.body.appendChild(copy);
    seen.push(document.getElementById('main') === copy.querySelector('main'));
    return seen;
  },
  'finds elements by tag, class and name': (document) => {
    document.getElementById('end').setAttribute('name', 'n');
    return ['p', 'P', '*', 'path', '']
      .map((name) => document.getElementsByTagName(name))
      .concat([
        document.getElementsByClassName('a b'),
        document.getElementsByName('n'),
        document.getElementsByTagNameNS('*', 'svg'),
        document.body.getElementsByTagName('title'),
      ]);
  },
  'has lists as stale as they are': (document) => {
    const lone = document.createElement('div');
    const lists = [
      lone.children,
      document.body.children,
      document.getElementsByTagName('u'),
      document.body.getElementsByTagName('u'),
      document.head.children,
    ];
    const seen = [lists.map((list) => list.length)];
    for (const parent of [lone, document.body, document.getElementById('main'), document.head]) {
      parent.appendChild(document.createElement('u'));
      seen.push(lists.map((list) => list.length));
    }
    document.body.appendChild(lone);
    seen.push(lists.map((list) => list.length));
    document.getElementById('end').remove();
    lone.firstChild.remove();
    document.body.lastChild.textContent = '';
    seen.push(lists.map((list) => list.length));
    return [seen, lists[0][0], lists[1].item(0), lists[1].namedItem('main')];
  },
  'has a head, a body and a title': (document) => {
    const seen = [document.head, document.body, document.title, document.documentElement];
    document.title = ' New  <title> ';
    seen.push(document.title);
    document.head.removeChild(document.head.firstChild);
    seen.push(document.title);
    document.title = 'again';
    return [...seen, document.head];
  },
  'loses and gets its root element': (document) => {
    const { documentElement, doctype } = document;
    document.removeChild(documentElement);
    const seen = [document.documentElement, document.body, document.title];
    document.removeChild(doctype);
    document.appendChild(documentElement);
    document.insertBefore(doctype, documentElement);
    return [...seen, document.documentElement === documentElement, document.doctype === doctype];
  },
  'is copied whole': (document) => {
    const copy = document.cloneNode(true);
    return [
      copy.serialize(),
      copy.URL,
      copy.compatMode,
      copy.getElementById('end'),
      document.cloneNode().firstChild,
    ];
  },
  'has an address': (document) => [
    document.URL,
    document.documentURI,
    document.location.href,
    document.location.pathname,
    document.defaultView.location.search,
    document.compatMode,
    document.contentType,
    document.characterSet,
    document.readyState,
    document.isHTML,
  ],
  'makes documents': ({ implementation }) => {
    const html = implementation.createHTMLDocument('a & b');
    html.body.appendChild(html.createElement('P'));
    const svg = implementation.createDocument('http://www.w3.org/2000/svg', 'svg', null);
    return [
      html.serialize(),
      html.title,
      svg.serialize(),
      svg.contentType,
      implementation.createDocumentType('html', 'p', 's').publicId,
    ];
  },
  'knows namespaces': (document) => {
    const svg = document.getElementsByTagName('svg')[0];
    return [
      svg.lookupPrefix('x'),
      svg.lookupNamespaceURI(null),
      svg.isDefaultNamespace(svg.namespaceURI),
      document.lookupNamespaceURI('y'),
    ];
  },
  'reads constants': ({ body, ...rest }) => {
    void rest;
    return [
      body.ELEMENT_NODE,
      body.DOCUMENT_POSITION_CONTAINS,
      body.nodeType,
      body.nodeName,
      body.nodeValue,
      body.firstChild.firstChild.firstChild.firstChild,
      body.lastChild.hasChildNodes(),
    ];
  },
};

for (const [name, run] of Object.entries(OPERATIONS)) {
  it(name, () => {
    same(run);
  });
}

it.each([
  ...['div', 'DIV', 'my-element', 'x', 'unknown', 'svg', 'a:b', 'constructor', '1a', '', 'a b'],
  ...['<', null, undefined, '\u00e9t\u00e9', 'h1', 'h7', 'template', 'input', 'image'],
])('creates %s', (name) => {
  same((document) => {
    const element = document.createElement(name);
    return [
      element,
      element.tagName,
      element.localName,
      element.prefix,
      element.namespaceURI,
      element.constructor.name,
      Object.getPrototypeOf(element) === Object.getPrototypeOf(document.createElement(name)),
    ];
  });
  for (const namespace of [
    'http://www.w3.org/1999/xhtml',
    'http://www.w3.org/2000/svg',
    'http://www.w3.org/1998/Math/MathML',
    null,
    '',
    'urn:x',
  ]) {
    same((document) => {
      const element = document.createElementNS(namespace, name);
      return [
        element,
        element.tagName,
        element.localName,
        element.prefix,
        element.namespaceURI,
        element.constructor.name,
      ];
    });
  }
});

it('has nodes of the classes that Angular has on globalThis', () => {
  const document = ourDocument(PAGE);
  const {
    HTMLElement,
    HTMLDivElement,
    SVGElement,
    Element,
    Node,
    Text,
    Comment,
    Document,
    DocumentFragment,
  } = classes as AnyNode;
  const div = document.createElement('div');
  expect([
    div instanceof HTMLDivElement,
    div instanceof HTMLElement,
    div instanceof Element,
    div instanceof Node,
  ]).toEqual([true, true, true, true]);
  expect(document.createElement('section') instanceof HTMLDivElement).toBe(false);
  expect(document.querySelector('path') instanceof SVGElement).toBe(true);
  expect(document.createTextNode('') instanceof Text).toBe(true);
  expect(document.createComment('') instanceof Comment).toBe(true);
  expect(document.createDocumentFragment() instanceof DocumentFragment).toBe(true);
  expect(document instanceof Document).toBe(true);
});

it("has the members that an application adds to Angular's classes", () => {
  const { HTMLElement, Element } = classes as AnyNode;
  const document = ourDocument(PAGE);
  try {
    Element.prototype.scrollIntoView = () => 'scrolled';
    Object.defineProperty(HTMLElement.prototype, 'offsetWidth', {
      configurable: true,
      get: () => 7,
    });
    expect([document.body.scrollIntoView(), document.body.offsetWidth]).toEqual(['scrolled', 7]);
  } finally {
    delete Element.prototype.scrollIntoView;
    delete HTMLElement.prototype.offsetWidth;
  }
});

it("takes nodes of Angular's own DOM in as they are", () => {
  const { DOMImplementation } = classes as AnyNode;
  same((document) => {
    const other = new DOMImplementation(null).createHTMLDocument('');
    const list = other.createElement('ul');
    list.innerHTML = '<li id="x" class="y">a<!--b--></li><template><b>c</b></template>';
    document.body.appendChild(list);
    const found = document.getElementById('x');
    found.setAttribute('title', 'z');
    found.textContent = 'changed';
    return [
      list.ownerDocument === document,
      found.className,
      list,
      list.lastChild.content,
      list.parentNode === document.body,
    ];
  });
});

const LOST: Record<string, (document: AnyNode) => void> = {
  'replaces a node by itself': ({ body }) => body.replaceChild(body.firstChild, body.firstChild),
  'replaces the first child by nothing': ({ body }) => body.firstChild.replaceWith(),
  'inserts a child again that was replaced by a text': ({ body }) => {
    const { lastChild } = body;
    body.textContent = '';
    body.appendChild(lastChild);
  },
};

it.each(Object.entries(LOST))("%s: what Angular's DOM then does is Angular's to do", (_, run) => {
  const document = ourDocument(PAGE);
  const page = document.serialize();
  expect(document.unsupported).toBeUndefined();
  expect(() => {
    run(document);
  }).toThrow(expect.objectContaining({ name: 'DomUnsupportedError' }));
  expect(document.unsupported).toMatch(/Angular's way|a way to insert/);
  expect(ourDocument(PAGE).serialize()).toBe(page);
});

it('inserts a child again that was the only one before a text', () => {
  same((document) => {
    const main = document.getElementById('end');
    const only = document.createElement('i');
    main.appendChild(only);
    main.textContent = 'x';
    main.appendChild(only);
    return main;
  });
});

it('gives each render a document of its own', () => {
  const [one, two] = [ourDocument(PAGE, 'http://a/1'), ourDocument(PAGE, 'http://a/2')];
  one.body.firstChild.textContent = 'changed';
  one.getElementById('end').setAttribute('class', 'x');
  expect(two.serialize()).toBe(ourDocument(PAGE).serialize());
  expect([one.URL, two.URL]).toEqual(['http://a/1', 'http://a/2']);
});

it('keeps the documents of more pages than it has room for', () => {
  for (let i = 0; i < 50; i++) {
    const html = `<html><head></head><body>${String(i % 30)}</body></html>`;
    expect(ourDocument(html).serialize()).toBe(html);
  }
});
