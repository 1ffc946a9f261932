import type { AngularNode } from './copy.ts';
import { domFailure } from './failures.ts';
import { takeIn } from './angular-nodes.ts';
import { rememberIdOf } from './ids.ts';
import { documentOf } from './link.ts';
import { DOCUMENT, ELEMENT } from './node-types.ts';
import { requireNoSiblingRing } from './sibling-ring.ts';
import type { TreeDocument, TreeElement, TreeNode, TreeParent } from './shapes.ts';

/** Takes a node out of its parent and makes it the document's. */
export function adopt(document: TreeDocument, node: TreeNode): void {
  if (node.nodeType === DOCUMENT) throw domFailure('NotSupportedError');
  if (node.nodeType === 2) return;
  if (node.parentNode !== null) node.parentNode.removeChild(node);
  if (node.ownerDocument === document) return;
  if (isOurs(node)) {
    if (node.ownerDocument !== null) requireNoSiblingRing(node.ownerDocument, node);
    setOwner(node, document);
  } else takeIn(document, node as unknown as AngularNode);
}

function isOurs(node: TreeNode): boolean {
  return (
    node.ownerDocument === null || (documentOf(node) as Partial<TreeDocument>).dom !== undefined
  );
}

function setOwner(node: TreeNode, document: TreeDocument): void {
  node.ownerDocument = document;
  if (node.nodeType === ELEMENT) {
    const { _rare: rare } = node as TreeElement;
    if (rare !== null) rare.modTime = 0;
    rememberIdOf(node as TreeElement);
  }
  // Text and comments have a constant null for it.
  for (let kid = (node as TreeParent).firstChild; kid !== null; kid = kid.nextSibling)
    setOwner(kid, document);
}
