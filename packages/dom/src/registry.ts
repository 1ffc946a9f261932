import { assemble } from './assemble.ts';
import type { DomClasses } from './dom-classes.ts';
import { documentClass } from './document.ts';
import type { DocumentClass } from './document.ts';
import { rememberIdOf } from './ids.ts';
import {
  doctypeClass,
  elementClass,
  fragmentClass,
  instructionClass,
  textClass,
} from './node-classes.ts';
import type { DoctypeClass, ElementClass, FragmentClass, TextClass } from './node-classes.ts';
import { MEMBERS } from './members.ts';
import { Names, toLower } from './names.ts';
import {
  COMMENT,
  DOCTYPE,
  DOCUMENT,
  ELEMENT,
  FRAGMENT,
  HTML,
  PROCESSING_INSTRUCTION,
  SVG,
  TEXT,
} from './node-types.ts';
import { Fragments } from './parse/fragments.ts';
import { Rare } from './rare.ts';
import { ReplacedMembers } from './replaced-members.ts';
import type {
  AngularDocument,
  Attr,
  AttrName,
  TokenList,
  TreeDoctype,
  TreeDocument,
  TreeDom,
  TreeElement,
  TreeFragment,
  TreeInstruction,
  TreeNode,
  TreeText,
} from './shapes.ts';

interface AngularClass {
  new (...values: unknown[]): object;
  readonly prototype: object;
}

/** Tags known by their class; names that an application makes up beyond them are looked up each time. */
const MOST_TAGS = 1024;

/** In Angular's DOM a copy of an HTML element has its name in lower case, and the class of that name. */
function copiedInLowerCase(NodeClass: ElementClass): ElementClass {
  class Capital extends NodeClass {
    override copyInto(document: TreeDocument): TreeNode {
      const copy = super.copyInto(document) as TreeElement;
      if (this.prefix !== null || !this.ownerDocument.isHTML) return copy;
      const element = document.dom.createElement(document, toLower(this.localName), HTML, null);
      element._attrs = copy._attrs;
      rememberIdOf(element);
      return element;
    }
  }
  Reflect.deleteProperty(Capital.prototype, 'constructor');
  return Capital;
}

/** All that is shared by the documents of one `createDom()`: classes, names, Angular's side. */
export class Registry implements TreeDom {
  readonly classes: DomClasses;
  /** An HTML document of Angular's, asked for what names and tags mean. */
  readonly reference: AngularDocument;
  readonly names: Names;
  readonly fragments: Fragments;
  readonly replaced: ReplacedMembers = new ReplacedMembers();
  readonly #prototypeNames: Map<object, string>;
  readonly #nodeClasses = new Map<object, ElementClass>();
  readonly #html = new Map<string, ElementClass>();
  readonly #svg = new Map<string, ElementClass>();
  readonly #element: ElementClass;
  readonly #text: TextClass;
  readonly #comment: TextClass;
  readonly #instruction: TextClass;
  readonly #fragment: FragmentClass;
  readonly #doctype: DoctypeClass;
  readonly #document: DocumentClass;
  readonly #tokenList: object;
  readonly #attr: object;
  readonly #attributeMap: object;
  readonly #implementation: object;

  constructor(classes: DomClasses) {
    this.classes = classes;
    const implementation = new (this.#class('DOMImplementation'))(null) as {
      createHTMLDocument(title: string): AngularDocument;
    };
    this.reference = implementation.createHTMLDocument('');
    this.names = new Names(this.reference);
    this.fragments = new Fragments(this);
    this.#prototypeNames = this.#readNames();
    const nodeClass = <T>(make: () => T, name: string, nodeType: number): T =>
      this.#nodeClassOf(make, this.#class(name).prototype, nodeType);
    this.#element = nodeClass(elementClass, 'Element', ELEMENT);
    this.#text = nodeClass(textClass, 'Text', TEXT);
    this.#comment = nodeClass(textClass, 'Comment', COMMENT);
    this.#instruction = nodeClass(
      instructionClass,
      'ProcessingInstruction',
      PROCESSING_INSTRUCTION,
    );
    this.#fragment = nodeClass(fragmentClass, 'DocumentFragment', FRAGMENT);
    this.#doctype = nodeClass(doctypeClass, 'DocumentType', DOCTYPE);
    this.#document = nodeClass(documentClass, 'Document', DOCUMENT);
    this.#tokenList = this.#plain(this.#class('DOMTokenList').prototype);
    this.#attr = this.#plain(
      Object.getPrototypeOf(this.reference.createAttribute('title')) as object,
    );
    this.#attributeMap = this.#plain(this.#prototypeOfAttributes());
    this.#implementation = this.#plain(this.#class('DOMImplementation').prototype);
  }

  #nodeClassOf<T>(make: () => T, angular: object, nodeType: number): T {
    const nodeClass = make();
    this.replaced.watch(angular, this.#prototypeNames);
    assemble(nodeClass as { prototype: object }, angular, this.#prototypeNames, nodeType);
    return nodeClass;
  }

  #class(name: string): AngularClass {
    const found = this.classes[name];
    if (typeof found !== 'function') throw new TypeError(`Angular's DOM has no class ${name}`);
    return found as AngularClass;
  }

  #readNames(): Map<object, string> {
    const names = new Map<object, string>();
    // The classes may be `globalThis`: only what is asked for is read.
    for (const name of Object.keys(MEMBERS)) {
      const value = this.classes[name];
      if (typeof value === 'function') names.set(value.prototype as object, name);
    }
    names.set(Object.getPrototypeOf(this.reference.createAttribute('title')) as object, 'Attr');
    names.set(this.#prototypeOfAttributes(), 'AttributeMap');
    return names;
  }

  #prototypeOfAttributes(): object {
    return Object.getPrototypeOf(this.reference.createElementNS(HTML, 'div').attributes) as object;
  }

  /** A prototype for objects that are no nodes. */
  #plain(angular: object): object {
    const nodeClass = { prototype: {} };
    assemble(nodeClass, angular, this.#prototypeNames);
    return nodeClass.prototype;
  }

  /** Our class for Angular's class with this prototype. */
  nodeClassFor(angular: object): ElementClass {
    if (angular === this.#class('Element').prototype) return this.#element;
    let nodeClass = this.#nodeClasses.get(angular);
    if (nodeClass === undefined) {
      nodeClass = this.#nodeClassOf(elementClass, angular, ELEMENT);
      this.#nodeClasses.set(angular, nodeClass);
    }
    return nodeClass;
  }

  /** Our prototype for nodes of a type that has one class. */
  prototypeOf(nodeType: number): object {
    if (nodeType === TEXT) return this.#text.prototype as object;
    if (nodeType === COMMENT) return this.#comment.prototype as object;
    return (nodeType === FRAGMENT ? this.#fragment : this.#instruction).prototype as object;
  }

  #classFor(
    known: Map<string, ElementClass>,
    namespaceURI: string,
    localName: string,
  ): ElementClass {
    let nodeClass = known.get(localName);
    if (nodeClass === undefined) {
      nodeClass = this.nodeClassFor(
        Object.getPrototypeOf(this.#sample(namespaceURI, localName)) as object,
      );
      if (namespaceURI === HTML && toLower(localName) !== localName)
        nodeClass = copiedInLowerCase(nodeClass);
      if (known.size < MOST_TAGS) known.set(localName, nodeClass);
    }
    return nodeClass;
  }

  /** An element of Angular's with this name. The parser also makes names that createElement refuses: no class has them. */
  #sample(namespaceURI: string, localName: string): object {
    try {
      return this.reference.createElementNS(
        namespaceURI,
        localName.includes(':') ? 'x-unknown' : localName,
      );
    } catch {
      return this.reference.createElementNS(namespaceURI, 'x-unknown');
    }
  }

  /** An element; its name is not checked. */
  createElement(
    document: TreeDocument,
    localName: string,
    namespaceURI: string | null,
    prefix: string | null,
  ): TreeElement {
    let NodeClass = this.#element;
    if (namespaceURI === HTML)
      NodeClass = this.#html.get(localName) ?? this.#classFor(this.#html, HTML, localName);
    else if (namespaceURI === SVG)
      NodeClass = this.#svg.get(localName) ?? this.#classFor(this.#svg, SVG, localName);
    return new NodeClass(document, localName, namespaceURI, prefix);
  }

  createText(document: TreeDocument, data: string): TreeText {
    return new this.#text(document, data);
  }

  createComment(document: TreeDocument, data: string): TreeText {
    return new this.#comment(document, data);
  }

  createInstruction(document: TreeDocument, data: string, target: string): TreeInstruction {
    return new this.#instruction(document, data, target) as TreeInstruction;
  }

  createFragment(document: TreeDocument): TreeFragment {
    return new this.#fragment(document);
  }

  createDoctype(
    document: TreeDocument | null,
    name: string,
    publicId?: string,
    systemId?: string,
  ): TreeDoctype {
    return new this.#doctype(document, name, publicId, systemId);
  }

  /** A document without any node; `page` is the one whose application makes it. */
  createBlankDocument(isHTML: boolean, address: string | null, page?: TreeDocument): TreeDocument {
    return new this.#document(this, isHTML, address, page);
  }

  createImplementation(document: TreeDocument): object {
    const implementation = Object.create(this.#implementation) as { contextObject: TreeDocument };
    implementation.contextObject = document;
    return implementation;
  }

  /** An empty list of nodes. */
  createList(): TreeNode[] {
    return new (this.#class('NodeList'))() as TreeNode[];
  }

  createTokenList(element: TreeElement): TokenList {
    const list = Object.create(this.#tokenList) as TokenList;
    list.element = element;
    list.tokens = [];
    list.text = '';
    return list;
  }

  createAttr(slot: string | AttrName, element: TreeElement | null): Attr {
    const attr = Object.create(this.#attr) as Attr;
    attr.slot = slot;
    attr.element = element;
    attr.text = '';
    return attr;
  }

  createAttributeMap(element: TreeElement): { refresh(): void } {
    return Object.assign(Object.create(this.#attributeMap) as { refresh(): void }, {
      element,
      keys: [],
    });
  }

  /** The content of a template element. */
  contentOf(template: TreeElement): TreeFragment {
    const rare = (template._rare ??= new Rare());
    if (rare.content === null) {
      rare.content = this.createFragment(template.ownerDocument._templateDoc);
      rare.content._host = template;
    }
    return rare.content;
  }
}
