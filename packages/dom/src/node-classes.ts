import { copyAttributes } from './attribute-list.ts';
import { rememberIdOf } from './ids.ts';
import type {
  AttrList,
  RareState,
  TreeDoctype,
  TreeDocument,
  TreeElement,
  TreeFragment,
  TreeNode,
  TreeParent,
  TreeText,
} from './shapes.ts';

export type ElementClass = new (
  ownerDocument: TreeDocument,
  localName: string,
  namespaceURI: string | null,
  prefix: string | null,
) => TreeElement;
export type TextClass = new (
  ownerDocument: TreeDocument,
  data: string,
  target?: string,
) => TreeText;
export type FragmentClass = new (ownerDocument: TreeDocument) => TreeFragment;
export type DoctypeClass = new (
  ownerDocument: TreeDocument | null,
  name: string,
  publicId: string | undefined,
  systemId: string | undefined,
) => TreeDoctype;

/**
 * A class for one of Angular's element classes. Each has a constructor and a copy of its own, not one inherited:
 * V8 then knows the shape of what it makes.
 */
export function elementClass(): ElementClass {
  class NodeClass {
    declare ownerDocument: TreeDocument;
    declare parentNode: TreeParent | null;
    declare previousSibling: TreeNode | null;
    declare nextSibling: TreeNode | null;
    declare firstChild: TreeNode | null;
    declare lastChild: TreeNode | null;
    declare _childList: TreeNode[] | null;
    declare localName: string;
    declare namespaceURI: string | null;
    declare prefix: string | null;
    declare _attrs: AttrList | null;
    declare _rare: RareState | null;

    constructor(
      ownerDocument: TreeDocument,
      localName: string,
      namespaceURI: string | null,
      prefix: string | null,
    ) {
      this.ownerDocument = ownerDocument;
      this.parentNode = null;
      this.previousSibling = null;
      this.nextSibling = null;
      this.firstChild = null;
      this.lastChild = null;
      this._childList = null;
      this.localName = localName;
      this.namespaceURI = namespaceURI;
      this.prefix = prefix;
      this._attrs = null;
      this._rare = null;
    }

    copyInto(document: TreeDocument): TreeNode {
      const copy = new NodeClass(document, this.localName, this.namespaceURI, this.prefix);
      const { _attrs: attrs } = this;
      if (attrs !== null) {
        const own = copyAttributes(attrs);
        copy._attrs = own;
        if (own.includes('id')) rememberIdOf(copy as unknown as TreeElement);
      }
      return copy as unknown as TreeNode;
    }
  }
  return NodeClass as unknown as ElementClass;
}

/** A class for text or comments. */
export function textClass(): TextClass {
  class NodeClass {
    declare ownerDocument: TreeDocument;
    declare parentNode: TreeParent | null;
    declare previousSibling: TreeNode | null;
    declare nextSibling: TreeNode | null;
    declare _data: string;

    constructor(ownerDocument: TreeDocument, data: string) {
      this.ownerDocument = ownerDocument;
      this.parentNode = null;
      this.previousSibling = null;
      this.nextSibling = null;
      this._data = data;
    }

    copyInto(document: TreeDocument): TreeNode {
      return new NodeClass(document, this._data) as unknown as TreeNode;
    }
  }
  return NodeClass as unknown as TextClass;
}

export function instructionClass(): TextClass {
  class NodeClass {
    declare ownerDocument: TreeDocument;
    declare parentNode: TreeParent | null;
    declare previousSibling: TreeNode | null;
    declare nextSibling: TreeNode | null;
    declare _data: string;
    declare _target: string | undefined;

    constructor(ownerDocument: TreeDocument, data: string, target?: string) {
      this.ownerDocument = ownerDocument;
      this.parentNode = null;
      this.previousSibling = null;
      this.nextSibling = null;
      this._data = data;
      this._target = target;
    }

    copyInto(document: TreeDocument): TreeNode {
      return new NodeClass(document, this._data, this._target) as unknown as TreeNode;
    }
  }
  return NodeClass as unknown as TextClass;
}

export function doctypeClass(): DoctypeClass {
  class NodeClass {
    declare ownerDocument: TreeDocument | null;
    declare parentNode: TreeParent | null;
    declare previousSibling: TreeNode | null;
    declare nextSibling: TreeNode | null;
    declare _name: string;
    declare publicId: string;
    declare systemId: string;

    constructor(
      ownerDocument: TreeDocument | null,
      name: string,
      publicId: string | undefined,
      systemId: string | undefined,
    ) {
      this.ownerDocument = ownerDocument;
      this.parentNode = null;
      this.previousSibling = null;
      this.nextSibling = null;
      this._name = name;
      this.publicId = publicId || '';
      this.systemId = systemId || '';
    }

    copyInto(document: TreeDocument): TreeNode {
      return new NodeClass(
        document,
        this._name,
        this.publicId,
        this.systemId,
      ) as unknown as TreeNode;
    }
  }
  return NodeClass as unknown as DoctypeClass;
}

export function fragmentClass(): FragmentClass {
  class NodeClass {
    declare ownerDocument: TreeDocument;
    declare parentNode: null;
    declare previousSibling: null;
    declare nextSibling: null;
    declare firstChild: TreeNode | null;
    declare lastChild: TreeNode | null;
    declare _childList: TreeNode[] | null;
    declare _host: TreeElement | null;

    constructor(ownerDocument: TreeDocument) {
      this.ownerDocument = ownerDocument;
      this.parentNode = null;
      this.previousSibling = null;
      this.nextSibling = null;
      this.firstChild = null;
      this.lastChild = null;
      this._childList = null;
      this._host = null;
    }

    copyInto(document: TreeDocument): TreeNode {
      return new NodeClass(document) as unknown as TreeNode;
    }
  }
  return NodeClass as unknown as FragmentClass;
}
