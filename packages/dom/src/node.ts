import { cloneDeep } from './clone.ts';
import { unsupported } from './unsupported.ts';
import { documentOf } from './link.ts';
import { modTimeOf } from './mod-times.ts';
import { DOCUMENT, ELEMENT } from './node-types.ts';
import { comparePosition, isInDocument } from './position.ts';
import type { TreeDocument, TreeNode, TreeParent } from './shapes.ts';

/** Members of every node which are ours; the rest of them is inherited from Angular's `Node`. */
export class NodeMembers {
  declare ownerDocument: TreeDocument | null;
  declare parentNode: TreeParent | null;

  get doc(): TreeDocument {
    return documentOf(this as unknown as TreeNode);
  }

  get parentElement(): TreeParent | null {
    const parent = this.parentNode;
    return parent !== null && parent.nodeType === ELEMENT ? parent : null;
  }

  /** Whether the node is in a document's tree. */
  get rooted(): boolean {
    return isInDocument(this as unknown as TreeNode);
  }

  /** For the live collections that are inherited: when the tree changed last. */
  get lastModTime(): number {
    return modTimeOf(this as unknown as TreeNode);
  }

  /** The number of the node among its parent's children. */
  get index(): number {
    let count = 0;
    for (
      let node = (this as unknown as TreeNode).previousSibling;
      node !== null;
      node = node.previousSibling
    )
      count++;
    return count;
  }

  cloneNode(deep?: boolean): TreeNode {
    const node = this as unknown as TreeNode;
    const document = this.ownerDocument as TreeDocument;
    return deep ? cloneDeep(node, document) : node.copyInto(document);
  }

  contains(node: TreeNode | null): boolean {
    if (node === null) return false;
    // As Angular's, which reads it before it looks for an ancestor.
    if (node.nodeType === DOCUMENT) return node === (this as unknown as TreeNode);
    for (let at: TreeNode | null = node; at !== null; at = at.parentNode) {
      if (at === (this as unknown as TreeNode)) return true;
    }
    return false;
  }

  compareDocumentPosition(node: TreeNode): number {
    return comparePosition(this as unknown as TreeNode, node);
  }

  isAncestor(node: TreeNode): boolean {
    return this.contains(node);
  }

  /** What Angular's own nodes call to take a node in: ours cannot be in their tree. */
  _insertOrReplace(): never {
    throw unsupported(this.doc, "a place in Angular's DOM for its nodes");
  }
}
