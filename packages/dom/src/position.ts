import { DOCUMENT } from './node-types.ts';
import type { TreeNode } from './shapes.ts';

const DISCONNECTED = 0x21;
const PRECEDING = 2;
const FOLLOWING = 4;
const CONTAINS = 8;
const CONTAINED_BY = 16;

/** Whether a node is in a document's tree. The content of a template is not. */
export function isInDocument(node: TreeNode): boolean {
  let at = node;
  while (at.parentNode !== null) at = at.parentNode;
  return at.nodeType === DOCUMENT;
}

function ancestors(node: TreeNode): TreeNode[] {
  const found: TreeNode[] = [];
  for (let at: TreeNode | null = node; at !== null; at = at.parentNode) found.push(at);
  return found.reverse();
}

/** DOM standard, 4.4 "Interface Node", compareDocumentPosition. */
export function comparePosition(node: TreeNode, other: TreeNode): number {
  if (node === other) return 0;
  const these = ancestors(node);
  const those = ancestors(other);
  if (these[0] !== those[0]) return DISCONNECTED;
  const shared = Math.min(these.length, those.length);
  for (let i = 1; i < shared; i++) {
    if (these[i] === those[i]) continue;
    for (let at = (these[i] as TreeNode).nextSibling; at !== null; at = at.nextSibling) {
      if (at === those[i]) return FOLLOWING;
    }
    return PRECEDING;
  }
  return these.length < those.length ? FOLLOWING + CONTAINED_BY : PRECEDING + CONTAINS;
}

export function precedes(node: TreeNode, other: TreeNode): boolean {
  return (comparePosition(node, other) & FOLLOWING) !== 0;
}
