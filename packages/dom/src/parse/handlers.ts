import { nameOf, textOf } from '../attribute-list.ts';
import { ELEMENT } from '../node-types.ts';
import type { TreeElement, TreeNode, TreeParent } from '../shapes.ts';

type ChangeHandler = (element: TreeElement, name: string, old: unknown, value: unknown) => void;

interface WithChangeHandlers {
  readonly _attributeChangeHandlers: Readonly<Record<string, ChangeHandler | undefined>>;
}

/** Whether an element below this node has an attribute such as `onclick`. */
export function hasHandlers(parent: TreeParent): boolean {
  for (let kid: TreeNode | null = parent.firstChild; kid !== null; kid = kid.nextSibling) {
    if (kid.nodeType !== ELEMENT) continue;
    const { _attrs: attrs, _rare: rare } = kid as TreeElement;
    for (let at = 0; attrs !== null && at < attrs.length; at += 2) {
      if (nameOf(attrs[at]).startsWith('on')) return true;
    }
    if (hasHandlers(kid as TreeParent)) return true;
    if (rare?.content && hasHandlers(rare.content)) return true;
  }
  return false;
}

/**
 * Gives `element.onclick` and its like of parsed elements, from this node on, the function that Angular's parser gives
 * them, which does nothing. A clone of an element has none.
 */
export function addHandlers(first: TreeNode | null): void {
  for (let node = first; node !== null; node = node.nextSibling) {
    if (node.nodeType !== ELEMENT) continue;
    const element = node as TreeElement;
    const { _attrs: attrs, _rare: rare } = element;
    for (let at = 0; attrs !== null && at < attrs.length; at += 2) {
      const name = nameOf(attrs[at]);
      if (!name.startsWith('on')) continue;
      const { _attributeChangeHandlers: handlers } = node as unknown as WithChangeHandlers;
      handlers[name]?.(element, name, undefined, textOf(attrs[at + 1]));
    }
    addHandlers(element.firstChild);
    if (rare?.content) addHandlers(rare.content.firstChild);
  }
}
