import { unsupported } from './unsupported.ts';
import { documentOf, unlinkChildren } from './link.ts';
import type { TreeDocument, TreeNode, TreeParent } from './shapes.ts';

/**
 * Children that were taken out together, by a new text for their parent: in Angular's DOM they stay each other's
 * siblings, and one that is inserted again brings the others. A page in which that happens is Angular's to render.
 */
export function unlinkSiblingRing(parent: TreeParent): void {
  const { firstChild } = parent;
  if (firstChild === null) return;
  if (firstChild.nextSibling !== null) {
    const ring = (documentOf(parent).siblingRing ??= new Set<TreeNode>());
    for (let kid: TreeNode | null = firstChild; kid !== null; kid = kid.nextSibling) ring.add(kid);
  }
  unlinkChildren(parent);
}

export function requireNoSiblingRing(document: TreeDocument, node: TreeNode): void {
  if (document.siblingRing !== null && document.siblingRing.has(node)) {
    throw unsupported(document, 'a way to insert a child again that was replaced by a text');
  }
}
