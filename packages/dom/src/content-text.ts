import { appendRaw, documentOf } from './link.ts';
import { touch } from './mod-times.ts';
import { ELEMENT, TEXT } from './node-types.ts';
import { unlinkSiblingRing } from './sibling-ring.ts';
import type { TreeParent, TreeText } from './shapes.ts';

function gatherText(parent: TreeParent): string {
  let text = '';
  for (let kid = parent.firstChild; kid !== null; kid = kid.nextSibling) {
    if (kid.nodeType === TEXT) text += (kid as TreeText)._data;
    else if (kid.nodeType === ELEMENT) text += gatherText(kid as TreeParent);
  }
  return text;
}

function setChildText(parent: TreeParent, text: unknown): void {
  unlinkSiblingRing(parent);
  touch(parent, false);
  if (text === null || text === undefined || text === '') return;
  const document = documentOf(parent);
  appendRaw(parent, document.dom.createText(document, String(text)));
  touch(parent, true);
}

/** The text of elements and fragments. */
export class ContentTextMembers {
  get textContent(): string {
    return gatherText(this as unknown as TreeParent);
  }
  set textContent(text: unknown) {
    setChildText(this as unknown as TreeParent, text);
  }

  get innerText(): string {
    return gatherText(this as unknown as TreeParent)
      .replace(/[ \t\n\f\r]+/g, ' ')
      .trim();
  }
  set innerText(text: unknown) {
    setChildText(this as unknown as TreeParent, text);
  }
}
