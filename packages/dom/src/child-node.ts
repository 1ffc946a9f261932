import { removeFromParent } from './removal.ts';
import type { TreeNode } from './shapes.ts';

/** Members of nodes that can be children. `before`, `after` and `replaceWith` are inherited. */
export class ChildNodeMembers {
  remove(): void {
    removeFromParent(this as unknown as TreeNode);
  }
}
