import type { TreeDocument, TreeNode, TreeParent } from './shapes.ts';

/** The document of a node; a document is its own. */
export function documentOf(node: TreeNode): TreeDocument {
  return node.ownerDocument ?? (node as TreeDocument);
}

/** Appends a node that has no parent and belongs to the parent's document, without any check. */
export function appendRaw(parent: TreeParent, node: TreeNode): void {
  const last = parent.lastChild;
  node.parentNode = parent;
  node.previousSibling = last;
  if (last === null) parent.firstChild = node;
  else last.nextSibling = node;
  parent.lastChild = node;
  if (parent._childList !== null) parent._childList.push(node);
}

/** Puts a node that has no parent before `next`, a child of `parent`, or last where `next` is null. */
export function link(parent: TreeParent, node: TreeNode, next: TreeNode | null): void {
  if (next === null) {
    appendRaw(parent, node);
    return;
  }
  const before = next.previousSibling;
  node.parentNode = parent;
  node.previousSibling = before;
  node.nextSibling = next;
  next.previousSibling = node;
  if (before === null) parent.firstChild = node;
  else before.nextSibling = node;
  const list = parent._childList;
  if (list !== null) list.splice(list.indexOf(next), 0, node);
}

/** Takes a node out of its parent. */
export function unlink(node: TreeNode): void {
  const parent = node.parentNode;
  if (parent === null) return;
  const before = node.previousSibling;
  const after = node.nextSibling;
  if (before === null) parent.firstChild = after;
  else before.nextSibling = after;
  if (after === null) parent.lastChild = before;
  else after.previousSibling = before;
  const list = parent._childList;
  if (list !== null) list.splice(list.indexOf(node), 1);
  node.parentNode = null;
  node.previousSibling = null;
  node.nextSibling = null;
}

/** Takes all children out. */
export function unlinkChildren(parent: TreeParent): void {
  let node = parent.firstChild;
  while (node !== null) {
    const next = node.nextSibling;
    node.parentNode = null;
    node.previousSibling = null;
    node.nextSibling = null;
    node = next;
  }
  parent.firstChild = null;
  parent.lastChild = null;
  if (parent._childList !== null) parent._childList.length = 0;
}
