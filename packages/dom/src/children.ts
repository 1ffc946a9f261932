import { insertBefore, replaceChild } from './insertion.ts';
import { appendRaw, documentOf } from './link.ts';
import { touch } from './mod-times.ts';
import { serializeChildren } from './serialize.ts';
import { COMMENT, ELEMENT, TEXT } from './node-types.ts';
import { removeChild } from './removal.ts';
import { unlinkSiblingRing } from './sibling-ring.ts';
import type { TreeNode, TreeParent } from './shapes.ts';

/** Members of every parent that concern its children. */
export class ChildrenMembers {
  declare firstChild: TreeNode | null;

  get childNodes(): TreeNode[] {
    const parent = this as unknown as TreeParent;
    if (parent._childList === null) {
      const list = documentOf(parent).dom.createList();
      for (let kid = parent.firstChild; kid !== null; kid = kid.nextSibling) list.push(kid);
      parent._childList = list;
    }
    return parent._childList;
  }

  hasChildNodes(): boolean {
    return this.firstChild !== null;
  }

  appendChild(node: TreeNode): TreeNode {
    const parent = this as unknown as TreeParent;
    // The usual case: a new node without children. Everything else takes the long way.
    const document = parent.ownerDocument;
    if (
      node.parentNode === null &&
      document !== null &&
      node.ownerDocument === document &&
      document.siblingRing === null
    ) {
      const type = node.nodeType;
      if (
        type === TEXT ||
        type === COMMENT ||
        (type === ELEMENT &&
          (node as TreeParent).firstChild === null &&
          node !== (parent as TreeNode))
      ) {
        appendRaw(parent, node);
        touch(parent, true);
        return node;
      }
    }
    insertBefore(parent, node, null);
    return node;
  }

  insertBefore(node: TreeNode, child: TreeNode | null): TreeNode {
    insertBefore(this as unknown as TreeParent, node, child);
    return node;
  }

  removeChild(child: TreeNode): TreeNode {
    removeChild(this as unknown as TreeParent, child);
    return child;
  }

  replaceChild(node: TreeNode, child: TreeNode): TreeNode {
    replaceChild(this as unknown as TreeParent, node, child);
    return child;
  }

  removeChildren(): void {
    const parent = this as unknown as TreeParent;
    unlinkSiblingRing(parent);
    touch(parent, false);
  }

  /** The children as HTML: `innerHTML`. */
  serialize(): string {
    return serializeChildren(this as unknown as TreeParent);
  }
}
