import { attrName } from './attributes.ts';
import { rememberIdOf } from './ids.ts';
import { appendRaw } from './link.ts';
import { COMMENT, DOCTYPE, ELEMENT, PROCESSING_INSTRUCTION, TEXT } from './node-types.ts';
import type { AttrList, TreeDocument, TreeNode, TreeParent } from './shapes.ts';

/** What is read of a node of Angular's. */
export interface AngularNode {
  readonly nodeType: number;
  readonly firstChild: AngularNode | null;
  readonly nextSibling: AngularNode | null;
  readonly data: string;
  readonly target: string;
  readonly name: string;
  readonly publicId: string;
  readonly systemId: string;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly prefix: string | null;
  /** A template's content; other elements have an attribute of this name. */
  readonly content?: AngularNode | string;
  /** The number of attributes; `attributes` is an object for each element, which an attribute `__proto__` breaks. */
  readonly _numattrs: number;
  _attr(index: number): {
    readonly localName: string;
    readonly namespaceURI: string | null;
    readonly prefix: string | null;
    readonly value: string;
  };
}

export function templateContent({ content }: AngularNode): AngularNode | undefined {
  return typeof content === 'object' ? content : undefined;
}

/** The attributes of a node of Angular's as our elements hold them. */
export function attributesOf(node: AngularNode): AttrList | null {
  const length = node._numattrs;
  if (length === 0) return null;
  const attrs: AttrList = [];
  for (let i = 0; i < length; i++) {
    const { localName, namespaceURI, prefix, value } = node._attr(i);
    attrs.push(attrName(namespaceURI, prefix, localName), value);
  }
  return attrs;
}

/** Our node for a node that Angular's parser made, with all below it. */
export function copyAngular(document: TreeDocument, node: AngularNode): TreeNode {
  const { dom } = document;
  switch (node.nodeType) {
    case ELEMENT: {
      const element = dom.createElement(document, node.localName, node.namespaceURI, node.prefix);
      element._attrs = attributesOf(node);
      rememberIdOf(element);
      copyAngularChildren(element, node);
      const content = templateContent(node);
      if (content?.firstChild) copyAngularChildren(dom.contentOf(element), content);
      return element;
    }
    case TEXT:
      return dom.createText(document, node.data);
    case COMMENT:
      return dom.createComment(document, node.data);
    case PROCESSING_INSTRUCTION:
      return dom.createInstruction(document, node.data, node.target);
    case DOCTYPE:
      return dom.createDoctype(document, node.name, node.publicId, node.systemId);
    default:
      throw new TypeError(`no node to copy: ${String(node.nodeType)}`);
  }
}

/** Copies the children of a node of Angular's to the end of ours. */
export function copyAngularChildren(parent: TreeParent, node: AngularNode): void {
  const document = parent.ownerDocument ?? (parent as TreeDocument);
  for (let kid = node.firstChild; kid !== null; kid = kid.nextSibling)
    appendRaw(parent, copyAngular(document, kid));
}
