import { unlinkChildren } from '../link.ts';
import { touch } from '../mod-times.ts';
import { HTML } from '../node-types.ts';
import { removeFromParent } from '../removal.ts';
import type { TreeElement, TreeParent } from '../shapes.ts';

/** `innerHTML` of HTML elements. Elements of SVG and MathML have none to set, as in Angular's DOM. */
export class MarkupMembers {
  set innerHTML(value: unknown) {
    const element = this as unknown as TreeElement;
    const { ownerDocument } = element;
    const { dom } = ownerDocument;
    const isTemplate = element.localName === 'template' && element.namespaceURI === HTML;
    const target = isTemplate ? dom.contentOf(element) : element;
    const text = value === null ? '' : String(value);
    // The nodes are made apart: an error of the parser changes nothing.
    const fragment = dom.createFragment(target.ownerDocument);
    dom.fragments.append(fragment, text, element);
    if (target.firstChild !== null) {
      removeChildren(target);
      touch(target, false);
    }
    if (fragment.firstChild !== null) moveChildren(fragment, target);
    touch(target, true);
  }
}

function removeChildren(parent: TreeParent): void {
  if (parent.ownerDocument!._nodeIterators === null) unlinkChildren(parent);
  else while (parent.firstChild !== null) removeFromParent(parent.firstChild);
}

/** Moves the children of a fragment into an empty parent of the same document. */
function moveChildren(fragment: TreeParent, parent: TreeParent): void {
  const { firstChild, lastChild } = fragment;
  for (let kid = firstChild; kid !== null; kid = kid.nextSibling) {
    kid.parentNode = parent;
    parent._childList?.push(kid);
  }
  parent.firstChild = firstChild;
  parent.lastChild = lastChild;
  fragment.firstChild = null;
  fragment.lastChild = null;
}
