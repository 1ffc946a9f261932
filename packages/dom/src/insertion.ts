import { adopt } from './adoption.ts';
import { domFailure } from './failures.ts';
import { unsupported } from './unsupported.ts';
import { documentOf, link, unlink } from './link.ts';
import { touch } from './mod-times.ts';
import { removeFromParent, requireNode } from './removal.ts';
import { DOCTYPE, DOCUMENT, ELEMENT, FRAGMENT, TEXT } from './node-types.ts';
import { requireNoSiblingRing } from './sibling-ring.ts';
import type { TreeDocument, TreeNode, TreeParent } from './shapes.ts';

/** Whether `node` is `inner` or one of its ancestors. */
export function isAncestor(node: TreeNode, inner: TreeNode): boolean {
  for (let at: TreeNode | null = inner; at !== null; at = at.parentNode) {
    if (at === node) return true;
  }
  return false;
}

/**
 * The checks before `insertBefore` (`replaced` false) and `replaceChild` (true), in the order of Angular's DOM.
 * DOM standard, 4.2.3 "Mutation algorithms".
 */
export function requireInsertable(
  parent: TreeParent,
  node: TreeNode,
  child: TreeNode | null,
  replaced: boolean,
): void {
  requireNode(node);
  // Attributes are no nodes of Angular's: they have no such thing as an ancestor.
  if (node.nodeType === 2) throw new TypeError('not a node of the tree');
  if (node === parent || ((node as TreeParent).firstChild && isAncestor(node, parent))) {
    throw domFailure('HierarchyRequestError');
  }
  if (child !== null || replaced) {
    if ((child as TreeNode).parentNode !== parent) throw domFailure('NotFoundError');
  }
  const type = node.nodeType;
  if (type === DOCUMENT) throw domFailure('HierarchyRequestError');
  if (parent.nodeType === DOCUMENT) requireInDocument(parent, node, child, replaced);
  else if (type === DOCTYPE) throw domFailure('HierarchyRequestError');
}

function countChildren(parent: TreeParent, type: number): number {
  let count = 0;
  for (let kid = parent.firstChild; kid !== null; kid = kid.nextSibling)
    if (kid.nodeType === type) count++;
  return count;
}

function requireInDocument(
  parent: TreeParent,
  node: TreeNode,
  child: TreeNode | null,
  replaced: boolean,
): void {
  let valid = true;
  if (node.nodeType === TEXT) valid = false;
  else if (node.nodeType === FRAGMENT) {
    const elements = countChildren(node as TreeParent, ELEMENT);
    if (countChildren(node as TreeParent, TEXT) > 0 || elements > 1) valid = false;
    else if (elements === 1) valid = takesElement(parent, child, replaced);
  } else if (node.nodeType === ELEMENT) valid = takesElement(parent, child, replaced);
  else if (node.nodeType === DOCTYPE) valid = takesDoctype(parent, child, replaced);
  if (!valid) throw domFailure('HierarchyRequestError');
}

/** Whether the document's only child of this type, if there is one, is the child to be replaced. */
function hasRoom(
  parent: TreeParent,
  child: TreeNode | null,
  replaced: boolean,
  type: number,
): boolean {
  const count = countChildren(parent, type);
  return count === 0 || (replaced && count === 1 && child?.nodeType === type);
}

function takesElement(parent: TreeParent, child: TreeNode | null, replaced: boolean): boolean {
  if (child !== null) {
    if (!replaced && child.nodeType === DOCTYPE) return false;
    for (let kid = child.nextSibling; kid !== null; kid = kid.nextSibling)
      if (kid.nodeType === DOCTYPE) return false;
  }
  return hasRoom(parent, child, replaced, ELEMENT);
}

function takesDoctype(parent: TreeParent, child: TreeNode | null, replaced: boolean): boolean {
  for (let kid = parent.firstChild; kid !== child && kid !== null; kid = kid.nextSibling) {
    if (kid.nodeType === ELEMENT) return false;
  }
  return hasRoom(parent, child, replaced, DOCTYPE);
}

/** Inserts a node, or the children of a fragment, whose place was found to be valid. */
export function place(parent: TreeParent, node: TreeNode, next: TreeNode | null): void {
  requireNoSiblingRing(documentOf(parent), node);
  if (node.nodeType === FRAGMENT) {
    for (
      let kid = (node as TreeParent).firstChild;
      kid !== null;
      kid = (node as TreeParent).firstChild
    ) {
      unlink(kid);
      link(parent, kid, next);
    }
  } else link(parent, node, next);
  touch(parent, true);
}

export function insertBefore(parent: TreeParent, node: TreeNode, child: TreeNode | null): void {
  requireInsertable(parent, node, child, false);
  const next = child === node ? node.nextSibling : child;
  adopt(documentOf(parent), node);
  place(parent, node, next);
}

/** Angular's DOM loses the tree where a node replaces itself, or nothing replaces the first of several children. */
function requireSound(
  document: TreeDocument,
  parent: TreeParent,
  node: TreeNode,
  child: TreeNode,
): void {
  const isNothing = node.nodeType === FRAGMENT && (node as TreeParent).firstChild === null;
  if (
    node === child ||
    (isNothing &&
      parent._childList === null &&
      child === parent.firstChild &&
      child.nextSibling !== null)
  ) {
    throw unsupported(
      document,
      "Angular's way to lose children when one is replaced by itself or by nothing",
    );
  }
}

export function replaceChild(parent: TreeParent, node: TreeNode, child: TreeNode): void {
  requireInsertable(parent, node, child, true);
  const document = documentOf(parent);
  requireSound(document, parent, node, child);
  if (documentOf(node) !== document) adopt(document, node);
  else if (node.parentNode !== null) removeFromParent(node);
  const next = child.nextSibling;
  unlink(child);
  place(parent, node, next);
}
