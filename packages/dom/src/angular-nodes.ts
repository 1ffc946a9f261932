import { attributesOf, templateContent } from './copy.ts';
import type { AngularNode } from './copy.ts';
import { rememberIdOf } from './ids.ts';
import { unsupported } from './unsupported.ts';
import { appendRaw } from './link.ts';
import { DOCTYPE, DOCUMENT, ELEMENT, FRAGMENT } from './node-types.ts';
import type { TreeDocument, TreeElement, TreeFragment, TreeNode, TreeParent } from './shapes.ts';

/** Fields of Angular's elements whose state has no counterpart of the same shape. */
const STATE = [
  '_listeners',
  '_handlers',
  '_classList',
  '_style',
  '_attributes',
  '_innerHTML',
  '_children',
];

function childrenOf(node: AngularNode): AngularNode[] {
  const kids: AngularNode[] = [];
  for (let kid = node.firstChild; kid !== null; kid = kid.nextSibling) kids.push(kid);
  return kids;
}

function requireStateless(document: TreeDocument, node: AngularNode): void {
  for (const field of STATE) {
    if (Object.hasOwn(node, field) && (node as unknown as Record<string, unknown>)[field]) {
      throw unsupported(document, "a node of Angular's DOM that is in use");
    }
  }
}

/**
 * Makes a node of Angular's DOM one of ours: the same object gets our prototype and fields. Angular's `Meta` creates
 * its elements in a document of Angular's own.
 */
export function takeIn(document: TreeDocument, node: AngularNode): TreeNode {
  if (node.nodeType === DOCUMENT || node.nodeType === DOCTYPE)
    throw unsupported(document, "a document of Angular's DOM");
  requireStateless(document, node);
  const { dom } = document;
  const kids = childrenOf(node);
  const taken = node as unknown as TreeElement;
  if (node.nodeType === ELEMENT) {
    const { localName, prefix } = node;
    const content = templateContent(node);
    const attrs = attributesOf(node);
    const inner = content === undefined ? [] : childrenOf(content);
    Object.setPrototypeOf(
      node,
      dom.nodeClassFor(Object.getPrototypeOf(node) as object).prototype as object,
    );
    Reflect.deleteProperty(node, '_contentFragment');
    Object.assign(taken, {
      ownerDocument: document,
      localName,
      prefix,
      _attrs: attrs,
      _rare: null,
    });
    rememberIdOf(taken);
    if (inner.length > 0) {
      const target = dom.contentOf(taken);
      for (const kid of inner) appendRaw(target, takeIn(target.ownerDocument, kid));
    }
  } else {
    Object.setPrototypeOf(node, dom.prototypeOf(node.nodeType));
    Object.assign(taken, { ownerDocument: document });
  }
  Object.assign(taken, { parentNode: null, previousSibling: null, nextSibling: null });
  if (node.nodeType === ELEMENT || node.nodeType === FRAGMENT) {
    Object.assign(taken, { firstChild: null, lastChild: null, _childList: null });
    if (node.nodeType === FRAGMENT) (node as unknown as TreeFragment)._host = null;
    for (const kid of kids) appendRaw(taken as TreeParent, takeIn(document, kid));
  }
  return taken;
}
