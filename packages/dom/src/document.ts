import { adopt } from './adoption.ts';
import { attrName } from './attributes.ts';
import { domFailure } from './failures.ts';
import { cloneChildren } from './clone.ts';
import { countById, findById } from './ids.ts';
import { insertBefore, replaceChild } from './insertion.ts';
import { ELEMENT, HTML } from './node-types.ts';
import { findRoots, removeChild } from './removal.ts';
import { serializeChildren } from './serialize.ts';
import type { TreeDocument, TreeDom, TreeElement, TreeNode } from './shapes.ts';

export type DocumentClass = new (
  dom: TreeDom,
  isHTML: boolean,
  address: string | null,
  page?: TreeDocument,
) => TreeDocument;

/** The class of documents. Its fields with an underscore are those that inherited members read. */
export function documentClass(): DocumentClass {
  class NodeClass {
    declare ownerDocument: null;
    declare parentNode: null;
    declare previousSibling: null;
    declare nextSibling: null;
    declare firstChild: TreeNode | null;
    declare lastChild: TreeNode | null;
    declare _childList: TreeNode[] | null;
    declare dom: TreeDom;
    declare isHTML: boolean;
    declare documentElement: TreeElement | null;
    declare doctype: TreeNode | null;
    declare _version: number;
    declare modTime: number;
    declare watched: boolean;
    declare _ids: Map<string, TreeElement | TreeElement[]> | null;
    declare siblingRing: Set<TreeNode> | null;
    declare page: TreeDocument;
    declare unsupported: string | undefined;
    declare readyState: string;
    declare defaultView: unknown;
    declare implementation: object;
    declare _address: string;
    declare _contentType: string;
    declare _quirks: boolean | undefined;
    declare _limitedQuirks: boolean | undefined;
    declare _scripting_enabled: boolean | undefined;
    declare _nodeIterators: unknown[] | null;
    declare _templateDocCache: TreeDocument | null;
    declare _listeners: unknown;
    declare _handlers: unknown;

    constructor(dom: TreeDom, isHTML: boolean, address: string | null, page?: TreeDocument) {
      this.ownerDocument = null;
      this.parentNode = null;
      this.previousSibling = null;
      this.nextSibling = null;
      this.firstChild = null;
      this.lastChild = null;
      this._childList = null;
      this.dom = dom;
      this.isHTML = isHTML;
      this.documentElement = null;
      this.doctype = null;
      this._version = 0;
      this.modTime = 0;
      this.watched = false;
      this._ids = null;
      this.siblingRing = null;
      this.page = page ?? (this as unknown as TreeDocument);
      this.unsupported = undefined;
      this.readyState = 'loading';
      this.defaultView = undefined;
      this.implementation = dom.createImplementation(this as unknown as TreeDocument);
      this._address = address || 'about:blank';
      this._contentType = isHTML ? 'text/html' : 'application/xml';
      this._quirks = undefined;
      this._limitedQuirks = undefined;
      this._scripting_enabled = undefined;
      this._nodeIterators = null;
      this._templateDocCache = null;
      this._listeners = undefined;
      this._handlers = undefined;
    }

    copyInto(): TreeDocument {
      const copy = new NodeClass(this.dom, this.isHTML, this._address, this.page);
      copy._quirks = this._quirks;
      copy._contentType = this._contentType;
      return copy as unknown as TreeDocument;
    }
  }
  return NodeClass as unknown as DocumentClass;
}

function namespaceOf(value: unknown): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}

function htmlChild(parent: TreeElement | null, name: string): TreeElement | null {
  if (parent === null || !parent.isHTML) return null;
  for (let kid = parent.firstChild; kid !== null; kid = kid.nextSibling) {
    const element = kid as TreeElement;
    if (kid.nodeType === ELEMENT && element.localName === name && element.namespaceURI === HTML)
      return element;
  }
  return null;
}

/** The first element with this name among a node, its following siblings and what is below them. */
function firstNamed(first: TreeNode | null, name: string): TreeElement | null {
  for (let at = first; at !== null; at = at.nextSibling) {
    if (at.nodeType !== ELEMENT) continue;
    if ((at as TreeElement).localName === name) return at as TreeElement;
    const found = firstNamed((at as TreeElement).firstChild, name);
    if (found !== null) return found;
  }
  return null;
}

/** Members of documents which are ours. */
export class DocumentMembers {
  declare dom: TreeDom;
  declare isHTML: boolean;
  declare documentElement: TreeElement | null;
  declare _contentType: string;

  createElement(name: string): TreeElement {
    const document = this as unknown as TreeDocument;
    const { names } = this.dom;
    const kind = names.attribute(String(name));
    if (this.isHTML) return this.dom.createElement(document, kind.lower.name, HTML, null);
    const namespace = this._contentType === 'application/xhtml+xml' ? HTML : null;
    return this.dom.createElement(document, kind.name, namespace, null);
  }

  createElementNS(namespaceURI: unknown, name: string): TreeElement {
    const namespace = namespaceOf(namespaceURI);
    const { localName, prefix } = this.dom.names.qualified(namespace, String(name));
    return this.dom.createElement(this as unknown as TreeDocument, localName, namespace, prefix);
  }

  _createElementNS(
    localName: string,
    namespaceURI: string | null,
    prefix: string | null,
  ): TreeElement {
    return this.dom.createElement(this as unknown as TreeDocument, localName, namespaceURI, prefix);
  }

  createTextNode(data: unknown): TreeNode {
    return this.dom.createText(this as unknown as TreeDocument, String(data));
  }

  createComment(data: string): TreeNode {
    return this.dom.createComment(this as unknown as TreeDocument, data);
  }

  createProcessingInstruction(target: string, data: string): TreeNode {
    this.dom.names.attribute(target);
    if (data.includes('?>')) throw domFailure('InvalidCharacterError');
    return this.dom.createInstruction(this as unknown as TreeDocument, data, target);
  }

  createDocumentFragment(): TreeNode {
    return this.dom.createFragment(this as unknown as TreeDocument);
  }

  createAttribute(name: string): unknown {
    const kind = this.dom.names.attribute(String(name));
    return this.dom.createAttr(this.isHTML ? kind.lower.name : kind.name, null);
  }

  createAttributeNS(namespaceURI: unknown, name: string): unknown {
    const namespace = namespaceOf(namespaceURI);
    const { localName, prefix } = this.dom.names.qualified(namespace, String(name));
    return this.dom.createAttr(attrName(namespace, prefix, localName), null);
  }

  appendChild(node: TreeNode): TreeNode {
    return this.insertBefore(node, null);
  }

  insertBefore(node: TreeNode, child: TreeNode | null): TreeNode {
    const document = this as unknown as TreeDocument;
    insertBefore(document, node, child);
    findRoots(document);
    return node;
  }

  replaceChild(node: TreeNode, child: TreeNode): TreeNode {
    const document = this as unknown as TreeDocument;
    replaceChild(document, node, child);
    findRoots(document);
    return child;
  }

  removeChild(child: TreeNode): TreeNode {
    removeChild(this as unknown as TreeDocument, child);
    return child;
  }

  adoptNode(node: TreeNode): TreeNode {
    adopt(this as unknown as TreeDocument, node);
    return node;
  }

  cloneNode(deep?: boolean): TreeDocument {
    const document = this as unknown as TreeDocument;
    const copy = document.copyInto(document) as TreeDocument;
    if (deep && document.firstChild !== null) cloneChildren(document.firstChild, copy, copy);
    findRoots(copy);
    return copy;
  }

  getElementById(id: string): TreeElement | null {
    return findById(this as unknown as TreeDocument, String(id));
  }

  _hasMultipleElementsWithId(id: string): boolean {
    return countById(this as unknown as TreeDocument, id) > 1;
  }

  get head(): TreeElement | null {
    return htmlChild(this.documentElement, 'head');
  }

  get body(): TreeElement | null {
    return htmlChild(this.documentElement, 'body');
  }

  get _titleElement(): TreeElement | null {
    return firstNamed(this.documentElement, 'title');
  }

  get _templateDoc(): TreeDocument {
    const document = this as unknown as TreeDocument;
    let inert = document._templateDocCache;
    if (inert === null) {
      inert = this.dom.createBlankDocument(document.isHTML, document._address, document.page);
      inert._templateDocCache = inert;
      document._templateDocCache = inert;
    }
    return inert;
  }

  // A document has no text of its own.
  get textContent(): null {
    return null;
  }
  set textContent(_text: unknown) {
    // Ignored.
  }

  get innerText(): null {
    return null;
  }
  set innerText(_text: unknown) {
    // Ignored.
  }

  serialize(): string {
    return serializeChildren(this as unknown as TreeDocument);
  }
}
