import { cloneDeep } from './clone.ts';
import type { TreeElement, TreeFragment, TreeNode } from './shapes.ts';
import { serializeChildren } from './serialize.ts';

/** Members of `template` elements: their content is a fragment of a document of its own, made when it is asked for. */
export class TemplateMembers {
  declare ownerDocument: TreeElement['ownerDocument'];

  get content(): TreeFragment {
    return this.ownerDocument.dom.contentOf(this as unknown as TreeElement);
  }

  get _contentFragment(): TreeFragment {
    return this.content;
  }

  /** The content alone: a template's own children are not written. */
  serialize(): string {
    const content = (this as unknown as TreeElement)._rare?.content;
    return content ? serializeChildren(content) : '';
  }

  cloneNode(deep?: boolean): TreeNode {
    const node = this as unknown as TreeElement;
    return deep ? cloneDeep(node, node.ownerDocument) : node.copyInto(node.ownerDocument);
  }
}
