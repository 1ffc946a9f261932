import { domFailure } from './failures.ts';
import { documentOf, unlink } from './link.ts';
import { touch } from './mod-times.ts';
import { DOCTYPE, DOCUMENT, ELEMENT } from './node-types.ts';
import type { TreeDoctype, TreeDocument, TreeElement, TreeNode, TreeParent } from './shapes.ts';

export function requireNode(node: TreeNode): void {
  if (!node.nodeType) throw new TypeError('not a node');
}

/** `node.remove()`: node iterators learn of it. */
export function removeFromParent(node: TreeNode): void {
  const parent = node.parentNode;
  if (parent === null) return;
  const document = documentOf(node);
  if (document._nodeIterators !== null) document._preremoveNodeIterators(node);
  unlink(node);
  touch(parent, false);
}

export function removeChild(parent: TreeParent, child: TreeNode): void {
  requireNode(child);
  if (child.parentNode !== parent) throw domFailure('NotFoundError');
  removeFromParent(child);
  if (parent.nodeType === DOCUMENT) findRoots(parent as TreeDocument);
}

/** Finds a document's doctype and root element after a change of its children. */
export function findRoots(document: TreeDocument): void {
  document.doctype = null;
  document.documentElement = null;
  for (let kid = document.firstChild; kid !== null; kid = kid.nextSibling) {
    if (kid.nodeType === DOCTYPE) document.doctype = kid as TreeDoctype;
    else if (kid.nodeType === ELEMENT) document.documentElement = kid as TreeElement;
  }
}
