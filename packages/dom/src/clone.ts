import { appendRaw } from './link.ts';
import { ELEMENT } from './node-types.ts';
import type { TreeDocument, TreeElement, TreeNode, TreeParent } from './shapes.ts';

/** A deep copy of a node, owned by `document`. */
export function cloneDeep(node: TreeNode, document: TreeDocument): TreeNode {
  const copy = node.copyInto(document);
  const first = (node as TreeParent).firstChild;
  if (first !== null) cloneChildren(first, copy as TreeParent, document);
  if (node.nodeType === ELEMENT && (node as TreeElement)._rare !== null) {
    cloneContent(node as TreeElement, copy as TreeElement);
  }
  return copy;
}

export function cloneChildren(first: TreeNode, into: TreeParent, document: TreeDocument): void {
  for (let kid: TreeNode | null = first; kid !== null; kid = kid.nextSibling)
    appendRaw(into, cloneDeep(kid, document));
}

/** The content of a template is copied with it. */
function cloneContent(template: TreeElement, copy: TreeElement): void {
  const content = template._rare?.content;
  if (!content) return;
  const target = copy.ownerDocument.dom.contentOf(copy);
  if (content.firstChild !== null) cloneChildren(content.firstChild, target, target.ownerDocument);
}
